"""What kinds of value there are.

    built-in types      known to `methods`
    OWN                 the program's classes, of nothing but its own and ours
    ENGINE              the engine's classes, and the program's derived from them
    MIXED               the program's classes derived from a built-in container
    OTHER               everything else: no attributes, cannot be called, cannot be had

The verdict for each exact type is kept in the session (`kinds`, `direct`, `writable`), so the compiled program decides
with one dictionary look-up.
"""

from __future__ import annotations

import dis
import inspect
import itertools
from collections import OrderedDict
from collections.abc import Iterator
from types import CodeType, FunctionType, GeneratorType, ModuleType
from typing import Any

import numpy as np

from engine import errors
from engine.composites.deepcopy import deepcopy
from engine.core.node import Node
from engine.core.overriding import Overriding
from engine.core.tensor import Tensor
from engine.kernels.random import Generator
from engine.program import session as sessions
from engine.program import surface
from engine.program.exceptions import ExceptionValue
from engine.program.shared import has_shared, is_shared, made_here
from engine.program.tables import METHODS
from engine.program.values import TYPE, UNSET, Module
from engine.types import dtypes
from engine.types.devices import device, layout, memory_format
from engine.types.return_types import NamedResult
from engine.types.sizes import Size

OWN = "own"
"""The program's class, of nothing but the program's classes and ours: every attribute is the program's."""


ENGINE = "engine"
"""An engine class, or the program's class derived from one."""


MIXED = "mixed"
"""A class of the program derived from a built-in container."""


OTHER = "other"


EXTRA = frozenset(
    "_version _base _is_view _make_subclass _make_wrapper_subclass _sequence_nr _set_sequence_nr _parameters _modules"
    " _buffers _get_name _register_hook_dict _forward_hooks _forward_pre_hooks _backward_hooks _input_metadata _fields"
    " _register_load_state_dict_pre_hook _orig_mod _indices _nnz _values"
    " _extended_shape _validate_sample _validate_args _batch_shape _event_shape".split()
)
"""Private names that programs print and PyTorch has; `_saved_…` and `_raw_saved_…` too."""


PROTECTED = {
    "torch.optim.lr_scheduler.LRScheduler": "_get_closed_form_lr _initial_step _update_lr",
    "torch.optim.lr_scheduler.ReduceLROnPlateau": "_init_is_better _is_better _reduce_lr _reset",
    "torch.optim.lr_scheduler.OneCycleLR": "_anneal_func_type _schedule_phases",
    "torch.optim.optimizer.Optimizer": "_opt_called",
    "torch.nn.modules.module.Module": "_apply _load_from_state_dict _named_members _register_state_dict_hook"
    " _save_to_state_dict _state_dict_hooks",
    "torch.nn.modules.conv._ConvNd": "_conv_forward _reversed_padding_repeated_twice",
    "torch.nn.modules.batchnorm._NormBase": "_check_input_dim",
    "torch.nn.modules.instancenorm._InstanceNorm": "_apply_instance_norm _get_no_batch_dim",
    "torch.nn.modules.activation.MultiheadAttention": "_reset_parameters",
    "torch.nn.modules.rnn.RNNBase": "_all_weights _flat_weights _flat_weights_names",
    "torch.nn.modules.sparse.Embedding": "_fill_padding_idx_with_zero",
    "torch.nn.modules.transformer.TransformerEncoderLayer": "_ff_block _sa_block",
    "torch.nn.modules.transformer.TransformerDecoderLayer": "_ff_block _mha_block _sa_block",
    "torch.nn.modules.transformer.Transformer": "_reset_parameters",
    "torch.nn.utils.prune.BasePruningMethod": "_tensor_name",
    "torch.nn.utils.prune.PruningContainer": "_pruning_methods",
    "torch.amp.grad_scaler.GradScaler": "_check_inf_per_device _enabled _found_inf_per_device _get_growth_tracker"
    " _get_scale_async _growth_tracker _init_scale _maybe_opt_step _scale",
}
"""Class → private names that it shares with PyTorch's, and that derived classes of programs call or define anew."""


STATE = {
    "torch.optim.lr_scheduler.LRScheduler": "_get_lr_called_within_step _is_initial _last_lr _step_count",
    "torch.optim.lr_scheduler.SequentialLR": "_milestones _schedulers",
    "torch.optim.lr_scheduler.ChainedScheduler": "_schedulers",
}
"""Of these, what programs also set."""


OPERATORS = frozenset(
    f"__{name}__"
    for name in (
        "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv mod rmod pow rpow"
        " matmul rmatmul and or xor invert neg pos abs eq ne lt le gt ge len getitem setitem delitem contains iter next"
        " call bool int float index hash repr str format enter exit reversed round divmod init new init_subclass"
        " setattr getattr delattr missing post_init get set delete set_name copy deepcopy"
    ).split()
)


DUNDERS = OPERATORS | frozenset(
    f"__{name}__"
    for name in (
        "class doc name qualname module dict slots annotations members constants match_args all version file mro bases"
        " defaults code rand ror rxor lshift rshift rlshift rrshift ilshift irshift iand ior ixor ipow imod ifloordiv"
        " imatmul rdivmod complex trunc floor ceil length_hint class_getitem cause context suppress_context notes"
        " traceback wrapped array getitems dataclass_fields kwdefaults torch_function abstractmethods closure"
        " total required_keys optional_keys parameters"
    ).split()
)
"""Names with two underscores that a program may read."""
DEFINABLE = DUNDERS - frozenset(
    f"__{name}__"
    for name in "class dict members mro bases code defaults cause context suppress_context notes traceback wrapped"
        " array dataclass_fields kwdefaults abstractmethods closure total required_keys optional_keys"
        " parameters".split()
)
"""Of these, what a class body may define."""


PROTOCOLS = frozenset(
    name for kind in (object, type, int, float, complex, str, bytes, memoryview, list, dict, set, BaseException,
                      FunctionType, GeneratorType, ModuleType, np.ndarray) for name in dir(kind)
) - {"__getstate__", "__setstate__", "__del__", "__array_priority__", "__array_ufunc__"} | frozenset(
    f"__{name}__"
    for name in (
        "await aiter anext aenter aexit buffer release_buffer fspath bytes instancecheck subclasscheck"
        " mro_entries prepare getnewargs getnewargs_ex getinitargs weakref isabstractmethod"
        " array_function array_finalize array_wrap torch_function torch_dispatch dlpack dlpack_device"
        " path import package cached spec loader builtins program abstract inheritable"
    ).split()
)
"""Special names that Python, numpy or PyTorch act on."""


INSTANCE_DUNDERS = frozenset({"__doc__", "__name__", "__qualname__", "__module__", "__annotations__", "__wrapped__"})
"""Of these, what may be assigned on an instance."""


BUILTIN_BASES = (dict, list, tuple, set, frozenset, int, float)
"""Built-in types that classes of the program derive from."""
_INTERNAL = frozenset(
    "program limits trace running graph signatures codegen core.state core.observer core.ready_queue core.graph_task"
    " types.printing"
    .split()
)
"""Rooms and modules of the engine whose objects are none of the program's business."""


_ENGINE_PACKAGES = frozenset({"engine", "torch"})


SEALED = frozenset({"Generator", "device", "layout", "memory_format", "Size", "RemovableHandle", "dtype"})
"""Engine classes with objects that take no attributes, as PyTorch's, which are written in C."""


def is_sealed(kind: type) -> bool:
    return any(base.__name__ in SEALED and is_engine_class(base) for base in kind.__mro__)


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def kept_as(name: str) -> str:
    """The name under which objects of the program keep an attribute: a special name of the program's own making
    (`__build__`) has a blank more, so that nobody but the program ever finds it."""
    return f"{name} " if is_dunder(name) and name not in DUNDERS and name not in PROTOCOLS else name


PRIORITY, NO_UFUNCS = kept_as("__array_priority__"), kept_as("__array_ufunc__")
"""What a class says to numpy, which never hears of it: `arrays` does as numpy would."""


def is_engine_class(cls: type) -> bool:
    """Whether a class belongs to the engine (its classes call themselves torch's)."""
    if "__program__" in cls.__dict__:
        return False
    package = cls.__module__.split(".", 2)
    if package[0] not in _ENGINE_PACKAGES:
        return False
    return package[0] == "torch" or (
        len(package) > 1 and _INTERNAL.isdisjoint((package[1], ".".join(package[1:])))
    )


def engine_classes() -> list[type]:
    """All classes of the engine there are."""
    found: dict[type, None] = {}
    todo: list[type] = [object]
    while todo:
        derived: list[type] = type.__subclasses__(todo.pop())
        new = [cls for cls in derived if cls not in found and cls is not type]
        found.update(dict.fromkeys(new))
        todo += new
    return [cls for cls in found if isinstance(cls.__module__, str) and is_engine_class(cls)]


def kind_of(cls: type) -> str:
    """OWN, ENGINE, MIXED or OTHER; remembered in the session for the program's classes."""
    session = sessions.active
    known = session.kinds.get(cls)
    if known is None:
        known = session.kinds[cls] = _classify(cls)
        if issubclass(cls, type):
            return known  # classes are read and written as classes, whatever made them
        if known == OWN:
            session.direct[cls] = True
            if not has_shared(cls):
                session.writable.add(cls)
                if host_class_of(cls) is None:
                    session.plain.add(cls)
        elif known == ENGINE and not hidden(cls) and not issubclass(cls, Overriding):
            session.direct[cls] = False
            if not has_shared(cls) and not is_sealed(cls):
                session.writable.add(cls)
    return known


def _classify(cls: type) -> str:
    own = "__program__" in cls.__dict__
    verdict = OWN if own else OTHER
    for base in cls.__mro__:
        if base is object or "__program__" in base.__dict__ or base.__module__ == "typing":
            continue
        if base is type and own:
            continue
        if base is str or base is bytes:
            return OTHER
        if base in METHODS:
            return MIXED if own else verdict
        if is_engine_class(base):
            verdict = ENGINE
        elif issubclass(base, ExceptionValue):
            verdict = OWN
        elif not (own and base.__module__.startswith("engine.program")):
            return OTHER
    return verdict


def missing(value: Any, name: str) -> AttributeError | NotImplementedError:
    """The error for an attribute that is not there, in CPython's words, or that PyTorch has and Backlight has not."""
    error: AttributeError | NotImplementedError
    if isinstance(value, Tensor):
        error = errors.tensor_attribute(name)
    elif isinstance(value, type) and "__members__" in value.__dict__:
        error = AttributeError(name)
    elif isinstance(value, type):
        error = AttributeError(f"type object '{written_name(value)}' has no attribute '{name}'")
    elif type(value) is Module:
        error = errors.module_attribute(value.name, name)
    else:
        error = AttributeError(f"'{written_name(type(value))}' object has no attribute '{name}'")
    if isinstance(error, AttributeError):
        error.name, error.obj = name, value
    return error


_IN_C = frozenset({Size, dtypes.dtype, dtypes.finfo, dtypes.iinfo, device, layout, memory_format, Generator})


def written_name(cls: type) -> str:
    """A class in messages: those that PyTorch and Python write in C are called by their module, too."""
    if cls is OrderedDict:
        return "collections.OrderedDict"
    return f"{cls.__module__}.{cls.__name__}" if cls in _IN_C or issubclass(cls, NamedResult) else cls.__name__


def refused(value: Any, name: str) -> AttributeError:
    return AttributeError(f"'{type(value).__name__}' object has no attribute '{name}' that programs may use here")


def defines(kind: type, name: str) -> bool:
    return any(name in base.__dict__ for base in kind.__mro__ if "__program__" in base.__dict__)


def defined_here(kind: type, name: str) -> bool:
    """Whether a class that this run made defines a name."""
    return any(name in base.__dict__ for base in kind.__mro__ if made_here(base))


def is_private(kind: type, name: str) -> bool:
    """Whether a name is one that our class keeps for itself, and that no class of the program defines again."""
    return name.startswith("_") and name in reserved(kind) and not defined_here(kind, name)


def attributes_of(value: Any) -> dict[str, Any]:
    try:
        found: dict[str, Any] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found


class _Replaced:
    """The dict that a program has put in place of an object's attributes, as the object keeps it. Host code never looks
    there: in that dict a program may have any names."""

    __slots__ = ("held",)

    def __init__(self, held: dict[Any, Any]) -> None:
        self.held = held

    def __deepcopy__(self, memo: dict[int, Any]) -> _Replaced:
        return _Replaced(deepcopy(self.held, memo))


_REPLACED = "__dict__ "


def replace_attributes(value: Any, held: dict[Any, Any]) -> None:
    """What `value.__dict__ = held` does to an object of a class of the program."""
    session, kind = sessions.active, type(value)
    session.direct.pop(kind, None)
    session.plain.discard(kind)
    session.writable.discard(kind)
    session.replaced.add(kind)
    session.epoch[0] += 1
    attributes = attributes_of(value)
    attributes.clear()
    attributes[_REPLACED] = _Replaced(held)


def replaced_attributes(value: Any, name: str = "") -> dict[Any, Any] | None:
    """The dict that stands for an object's attributes, if the program has replaced them and the class does not say
    what happens to one of this name."""
    kind = type(value)
    if kind not in sessions.active.replaced:
        return None
    found = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
    place = None if hasattr(type(found), "__set__") else attributes_of(value).get(_REPLACED)
    return place.held if type(place) is _Replaced else None


def engine_class_of(kind: type) -> type | None:
    """The engine's class that a class is or derives from."""
    return next((base for base in kind.__mro__ if is_engine_class(base)), None)


_STORED: dict[type, frozenset[str]] = {}


def stored_names(engine: type) -> frozenset[str]:
    """The names of attributes that the methods of an engine class set on the object that they belong to."""
    known = _STORED.get(engine)
    if known is None:
        methods = [
            inspect.unwrap(getattr(member, "__func__", member))
            for base in engine.__mro__
            if is_engine_class(base)
            for member in base.__dict__.values()
        ]
        codes = [method.__code__ for method in methods if isinstance(method, FunctionType)]
        known = _STORED[engine] = frozenset(
            step.argval
            for code in codes
            if code.co_varnames
            for before, step in itertools.pairwise(dis.get_instructions(code))
            if step.opname == "STORE_ATTR" and _loads(before, code.co_varnames[0])
        )
    return known


def _loads(step: dis.Instruction, name: str) -> bool:
    """Whether a variable is what an instruction, which may load two of them, loads last."""
    return bool((step.argval[-1] if isinstance(step.argval, tuple) and step.argval else step.argval) == name)


_HIDDEN: dict[type, frozenset[str]] = {}


def hidden(kind: type) -> frozenset[str]:
    """The public names of an engine class that PyTorch lacks: no program can read them. Empty for most."""
    engine = engine_class_of(kind)
    if engine is None:
        return frozenset()
    known = _HIDDEN.get(engine)
    if known is None:
        public = {name for name in dir(engine) if not name.startswith("_")} | surface.only_here(engine)
        builtin = {name for base in engine.__mro__ for name in METHODS.get(base, ())}
        known = _HIDDEN[engine] = frozenset(public - builtin) - surface.names_of(engine)
    return known


_RESERVED: dict[type, frozenset[str]] = {}


_SHARED_NAMES: dict[tuple[type, bool], frozenset[str]] = {}


def is_extra(kind: type, name: str, writable: bool = False) -> bool:
    """Whether a private name of an engine class is one that programs may read, or also set."""
    if name in EXTRA:
        return not writable
    engine = engine_class_of(kind)
    if engine is None:
        return False
    known = _SHARED_NAMES.get((engine, writable))
    if known is None:
        keys = [surface.key_of(base) for base in engine.__mro__]
        tables = [STATE] if writable else [STATE, PROTECTED]
        names = " ".join(table.get(key, "") for table in tables for key in keys)
        known = _SHARED_NAMES[engine, writable] = frozenset(names.split())
    return name in known


def host_class_of(kind: type) -> type | None:
    """The class of the engine, or of a module made here (`io.StringIO`), that a class is or derives from."""
    return next((base for base in kind.__mro__ if is_engine_class(base) or stands_in(base)), None)


def stands_in(cls: type) -> bool:
    """Whether a class is one of ours that a program takes for one of Python's library."""
    return cls.__dict__.get("__program__") is True and not cls.__dict__.get("__invisible__")


def reserved(kind: type) -> frozenset[str]:
    """Names that our classes use themselves; a program cannot put its own values there."""
    cache = sessions.active.reserved
    known = cache.get(kind)
    if known is None:
        known = cache[kind] = _reserved(host_class_of(kind))
    return known


def _reserved(host: type | None) -> frozenset[str]:
    if host is None:
        return frozenset()
    known = _RESERVED.get(host)
    if known is None:
        names: set[str] = set()
        for base in host.__mro__:
            if base is not object:
                names.update(base.__dict__)
                names.update(base.__dict__.get("__annotations__", {}))
                for member in base.__dict__.values():
                    names.update(_private_names(inspect.unwrap(getattr(member, "__func__", member))))
        known = _RESERVED[host] = frozenset(names)
    return known


def _private_names(function: Any) -> Iterator[str]:
    """The private names that the code of a function mentions."""
    codes = [getattr(function, "__code__", None)]
    if isinstance(function, property):
        codes = [getattr(part, "__code__", None) for part in (function.fget, function.fset, function.fdel)]
    while codes:
        code = codes.pop()
        if code is None:
            continue
        for name in (*code.co_names, *code.co_consts):
            if isinstance(name, str) and name.startswith("_") and name.isidentifier():
                yield name
            elif isinstance(name, CodeType):
                codes.append(name)


def check_name(instance: Any, name: Any) -> None:
    """Refuse to set or delete a name that Python itself would act on, or one of an object that outlives the run."""
    if not isinstance(name, str):
        raise TypeError("attribute name must be string, not '" + type(name).__name__ + "'")
    check_owner(instance, name)
    if is_dunder(name) and name not in INSTANCE_DUNDERS:
        raise AttributeError(f"'{type(instance).__name__}' object attribute '{name}' cannot be changed here")


def check_owner(instance: Any, name: str) -> None:
    """Refuse to change an object or class that outlives the run."""
    if isinstance(instance, type):
        if not made_here(instance):
            raise TypeError(f"cannot set '{name}' attribute of immutable type '{written_name(instance)}'")
    elif type(instance) in _IN_C and not hasattr(instance, name):
        raise missing(instance, name)
    elif is_shared(instance) or kind_of(type(instance)) == OTHER:
        raise AttributeError(f"'{type(instance).__name__}' object attribute '{name}' is read-only")


_NAMES = frozenset({"__name__", "__qualname__", "__doc__"})
"""What code of ours reads of classes, and programs give to instances."""


def check_value(target: Any, name: str) -> None:
    kind = type(target)
    verdict = kind_of(kind)
    if verdict != ENGINE and (verdict != OWN or not name.startswith("_")) or defined_here(kind, name):
        return
    if name.startswith("_"):
        if name in reserved(kind) and name not in _NAMES and not is_extra(kind, name, writable=True):
            if issubclass(kind, Tensor) and isinstance(getattr(Tensor, name, None), property):
                raise errors.not_writable(name)
            here = "" if issubclass(kind, Node) and isinstance(getattr(kind, name, None), property) else " here"
            raise AttributeError(f"attribute '{name}' of '{kind.__name__}' objects is not writable{here}")
        return
    if is_sealed(kind):
        raise missing(target, name)
    if issubclass(kind, Node):
        held = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), UNSET)
        if held is not UNSET and not isinstance(held, property):
            raise AttributeError(f"'{kind.__name__}' object attribute '{name}' is read-only")
        if held is UNSET and kind.home == "builtins":
            raise missing(target, name)


def visible_mro(cls: type) -> list[Any]:
    """`cls.__mro__` without the classes that only exist here."""
    return [TYPE if base is type else base for base in cls.__mro__ if not base.__dict__.get("__invisible__")]
