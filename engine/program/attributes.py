"""What a program can reach through a dot. Closed by default: a type that is not known here has no attributes.

    built-in types      the tables of `methods`
    the program's own   everything its classes and instances hold
    the engine's types  public names (`SHOWN` and `HIDDEN` say where that is not right), and what an attribute yields
                        must itself be of a known kind
    anything else       nothing

The verdict for each exact type is kept in the session (`kinds`, `direct`), so the compiled program decides with one
dictionary look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from engine import errors
from engine.function import BackwardCFunction
from engine.limits import meter
from engine.program import session as sessions
from engine.program.exceptions import ExceptionValue, Raised, class_of, value_of
from engine.program.methods import ATTRIBUTES, METHODS, SPEAKING, class_method
from engine.program.operators import BINARY, COMPARE, UNARY, items
from engine.program.text import default_repr, represent
from engine.program.values import UNSET, Builtin, Function, Generator, HostMethod, Module, Opaque, Silent, Super
from engine.tensor import Tensor

OWN = "own"
"""The program's class, of nothing but the program's classes and ours: every attribute is the program's."""
ENGINE = "engine"
"""An engine class, or the program's class derived from one."""
MIXED = "mixed"
"""A class of the program derived from a built-in container."""
OTHER = "other"

EXTRA = frozenset(
    "_version _base _is_view _sequence_nr _set_sequence_nr _parameters _modules _buffers _get_name _register_hook_dict"
    " _forward_hooks _forward_pre_hooks _backward_hooks _input_metadata _fields".split()
)
"""Private names that programs print and PyTorch has; `_saved_…` and `_raw_saved_…` too."""

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
        "class doc name qualname module dict slots annotations match_args all version file mro bases defaults code"
        " rand ror rxor lshift rshift rlshift rrshift ilshift irshift iand ior ixor ipow imod ifloordiv imatmul rdivmod"
        " complex trunc floor ceil length_hint class_getitem cause context suppress_context notes wrapped"
    ).split()
)
"""Names with two underscores that a program may define or read."""
INSTANCE_DUNDERS = frozenset({"__doc__", "__name__", "__qualname__", "__module__", "__annotations__", "__wrapped__"})
"""Of these, what may be assigned on an instance."""

_BUILTIN_BASES = (dict, list, tuple, set, frozenset, int, float)
_INTERNAL = frozenset({"program", "state", "limits", "trace", "op", "observer", "running", "catalogue", "graph"})
"""Modules of the engine whose objects are none of the program's business."""
_ENGINE_PACKAGES = frozenset({"engine", "torch"})

SHOWN: dict[str, frozenset[str]] = {
    "Node": frozenset(
        "name next_functions metadata register_hook register_prehook requires_grad variable saved_tensors"
        " saved_variables needs_input_grad save_for_backward save_for_forward mark_dirty mark_non_differentiable"
        " set_materialize_grads materialize_grads dirty_tensors non_differentiable to_save apply".split()
    ),
}
"""Engine class → the only public names its objects show, besides what the program stored in them."""
HIDDEN: dict[str, frozenset[str]] = {
    "dtype": frozenset({"np", "available", "cpp_name", "type_name", "name", "tensor_type", "abbr"})
}
"""Engine class → public names that PyTorch does not have."""
SHARED = frozenset({"Generator", "device", "layout", "memory_format", "Size", "RemovableHandle", "dtype"})
"""Engine classes with objects that outlive a run; programs cannot store anything in those."""
_LISTED = SHOWN.keys() | HIDDEN.keys()


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def is_engine_class(cls: type) -> bool:
    """Whether a class belongs to the engine (its classes call themselves torch's)."""
    package = cls.__module__.split(".", 2)
    if package[0] not in _ENGINE_PACKAGES or "__program__" in cls.__dict__:
        return False
    return package[0] == "torch" or (len(package) > 1 and package[1] not in _INTERNAL)


def kind_of(cls: type) -> str:
    """OWN, ENGINE, MIXED or OTHER; remembered in the session for the program's classes."""
    session = sessions.active
    known = session.kinds.get(cls)
    if known is None:
        known = session.kinds[cls] = _classify(cls)
        if known == OWN:
            session.direct[cls] = True
            session.writable.add(cls)
        elif known == ENGINE and not any(base.__name__ in _LISTED for base in cls.__mro__ if is_engine_class(base)):
            session.direct[cls] = False
            if not any(base.__name__ in SHARED for base in cls.__mro__):
                session.writable.add(cls)
    return known


def _classify(cls: type) -> str:
    own = "__program__" in cls.__dict__
    verdict = OWN if own else OTHER
    for base in cls.__mro__:
        if base is object or "__program__" in base.__dict__ or base.__module__ == "typing":
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


# --- what may enter the program


def admit(value: Any) -> Any:
    """A value on its way from the engine to the program, as the program may hold it; UNSET when it may not."""
    kind = type(value)
    closed = sessions.active.closed
    if kind in closed:
        return value
    if kind is np.ndarray or isinstance(value, np.generic):
        from engine.program.modules.arrays import wrap

        return wrap(value)
    if kind is ModuleType:
        from engine.program.bridge import module_of

        return module_of(value)
    if isinstance(value, type):
        if issubclass(value, BaseException):
            return class_of(value)
        if is_engine_class(value) or "__program__" in value.__dict__ or value in METHODS or value is ExceptionValue:
            return value
        return UNSET
    if isinstance(value, BaseException):
        return value_of(value)
    if kind_of(kind) != OTHER:
        closed.add(kind)
        return value
    if kind.__name__ == "SimpleNamespace":
        from engine.program.bridge import namespace_of

        return namespace_of(value)
    return UNSET


def missing(value: Any, name: str) -> AttributeError | NotImplementedError:
    """The error for an attribute that is not there, in CPython's words, or that PyTorch has and Backlight has not."""
    if isinstance(value, Tensor):
        return errors.tensor_attribute(name)
    if isinstance(value, type):
        return AttributeError(f"type object '{value.__name__}' has no attribute '{name}'")
    if type(value) is Module:
        return errors.module_attribute(value.name, name)
    return AttributeError(f"'{type(value).__name__}' object has no attribute '{name}'")


def refused(value: Any, name: str) -> AttributeError:
    return AttributeError(f"'{type(value).__name__}' object has no attribute '{name}' that programs may use here")


# --- reading


def read(value: Any, name: str) -> Any:
    """`value.name`. Raises AttributeError."""
    kind = type(value)
    if is_dunder(name):
        return _read_dunder(value, name)
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(value, name)
    methods = METHODS.get(kind)
    if methods is not None:
        method = methods.get(name)
        if method is not None:
            return Builtin(name, MethodType(method, value))
        attribute = ATTRIBUTES.get(kind, {}).get(name)
        if attribute is None:
            raise missing(value, name)
        return attribute(value)
    if isinstance(value, type):
        return _read_class(value, name)
    verdict = kind_of(kind)
    if verdict == OWN:
        return getattr(value, name)
    if verdict == ENGINE:
        return _read_engine(value, kind, name)
    if verdict == MIXED:
        return _read_mixed(value, kind, name)
    raise missing(value, name)


def _read_engine(value: Any, kind: type, name: str) -> Any:
    if isinstance(value, BackwardCFunction) and name in value.attributes:
        return value.attributes[name]
    if not _shown(value, kind, name):
        if hasattr(value, name):
            raise missing(value, name)
        return getattr(value, name)
    return admit_attribute(value, name, getattr(value, name))


def admit_attribute(value: Any, name: str, found: Any) -> Any:
    """What `value.name` yielded, if the program may hold it. Raises AttributeError if not."""
    if type(found) in sessions.active.closed:
        return found
    admitted = admit(found)
    if admitted is UNSET:
        for base in type(value).__mro__:
            method = METHODS.get(base, {}).get(name)
            if method is not None:
                return Builtin(name, MethodType(method, value))
        raise missing(value, name)
    return admitted


def _shown(value: Any, kind: type, name: str) -> bool:
    if name.startswith("_"):
        if name in EXTRA or name.startswith(("_saved_", "_raw_saved_")):
            return True
        if any(name in base.__dict__ for base in kind.__mro__ if "__program__" in base.__dict__):
            return True
        return name in _attributes_of(value) and name not in reserved(kind)
    for base in kind.__mro__:
        if base.__name__ in SHOWN or base.__name__ in HIDDEN:
            if not is_engine_class(base):
                continue
            shown = SHOWN.get(base.__name__)
            if shown is not None:
                return (
                    name in shown
                    or (name in _attributes_of(value) and name not in reserved(kind))
                    or _defines(kind, name)
                )
            if name in HIDDEN[base.__name__] and not _defines(kind, name):
                return False
    return True


def _defines(kind: type, name: str) -> bool:
    return any(name in base.__dict__ for base in kind.__mro__ if "__program__" in base.__dict__)


def _attributes_of(value: Any) -> dict[str, Any]:
    try:
        found: dict[str, Any] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found


_RESERVED: dict[type, frozenset[str]] = {}


def reserved(kind: type) -> frozenset[str]:
    """Names that the engine's classes use themselves; a program cannot put its own values there."""
    engine = next((base for base in kind.__mro__ if is_engine_class(base)), None)
    if engine is None:
        return frozenset()
    known = _RESERVED.get(engine)
    if known is None:
        names: set[str] = set()
        for base in engine.__mro__:
            if base is not object:
                names.update(base.__dict__)
                names.update(base.__dict__.get("__annotations__", {}))
        try:
            names.update(_attributes_of(engine()))
        except Exception:
            names.update(EXTRA)
        known = _RESERVED[engine] = frozenset(names)
    return known


def _read_mixed(value: Any, kind: type, name: str) -> Any:
    if name in _attributes_of(value):
        return getattr(value, name)
    for base in kind.__mro__:
        if "__program__" in base.__dict__:
            if name in base.__dict__:
                return getattr(value, name)
        elif base in METHODS:
            method = METHODS[base].get(name)
            if method is not None:
                return Builtin(name, MethodType(method, value))
    if hasattr(kind, "__getattr__"):
        return kind.__getattr__(value, name)
    raise missing(value, name)


def _read_class(cls: type, name: str) -> Any:
    found = class_method(cls, name)
    if found is not UNSET:
        return Builtin(name, found)
    if cls in METHODS:
        raise missing(cls, name)
    verdict = kind_of(cls)
    if verdict == OTHER:
        raise missing(cls, name)
    if name.startswith("_") and verdict == ENGINE and name not in EXTRA and not _defines(cls, name):
        raise missing(cls, name)
    if verdict == MIXED and not _defines(cls, name):
        for base in cls.__mro__:
            found = class_method(base, name)
            if found is not UNSET:
                return Builtin(name, found)
        raise missing(cls, name)
    found = getattr(cls, name)
    if verdict == OWN:
        return found
    admitted = admit(found)
    if admitted is UNSET:
        raise missing(cls, name)
    return admitted


# --- names with two underscores


def _read_dunder(value: Any, name: str) -> Any:
    kind = type(value)
    if kind is Module:
        return _read_module(value, name)
    if kind is Silent:
        raise missing(value, name)
    if name not in DUNDERS:
        raise refused(value, name)
    if kind is Super:
        return _super_dunder(value, name)
    if not isinstance(value, type) and kind not in sessions.active.closed and kind_of(kind) == OTHER:
        raise missing(value, name)
    special = _DUNDER_VALUES.get(name)
    if special is not None:
        return special(value)
    if isinstance(value, type):
        return _class_dunder(value, name)
    verdict = kind_of(kind)
    if verdict in (OWN, ENGINE, MIXED):
        if name in ("__setattr__", "__getattr__", "__delattr__"):
            return Builtin(name, lambda *args: _ATTRIBUTE_CALLS[name](value, *args))
        if verdict != MIXED or _defines(kind, name):
            return _callable(name, getattr(value, name))
    if name in OPERATORS and hasattr(kind, name):
        operation = _operation(name)
        if operation is not None:
            return Builtin(name, lambda *args: operation(value, *args))
    raise missing(value, name)


def _operation(name: str) -> Callable[..., Any] | None:
    from engine.program.builtins import BUILTINS

    guarded = _GUARDED.get(name)
    if guarded is not None:
        return guarded
    builtin = BUILTINS.get(name.strip("_"))
    if name in (
        "__len__",
        "__iter__",
        "__next__",
        "__hash__",
        "__repr__",
        "__str__",
        "__bool__",
        "__int__",
        "__float__",
        "__abs__",
    ):
        from engine.program.calls import call

        return lambda *args: call(builtin, args, None)
    return None


_OBJECT: dict[str, Callable[..., Any]] = {
    "__setattr__": lambda instance, name, value: _plain_setattr(instance, name, value),
    "__delattr__": lambda instance, name: erase(instance, name),
    "__new__": lambda cls, *args, **kwargs: _plain_new(cls, *args, **kwargs),
    "__init__": lambda instance, *args, **kwargs: None,
    "__eq__": lambda a, b: True if a is b else NotImplemented,
    "__ne__": lambda a, b: False if a is b else NotImplemented,
    "__hash__": lambda value: sessions.active.identity(value) >> 4,
    "__repr__": default_repr,
    "__str__": lambda value: represent(value),
}


def _plain_setattr(instance: Any, name: Any, value: Any) -> None:
    check_name(instance, name)
    if isinstance(instance, type) or kind_of(type(instance)) not in (OWN, MIXED):
        raise TypeError(f"can't apply this __setattr__ to {type(instance).__name__} object")
    object.__setattr__(instance, name, value)


def _class_dunder(cls: type, name: str) -> Any:
    if cls is object and name in _OBJECT:
        return Builtin(name, _OBJECT[name])
    if cls in METHODS or kind_of(cls) == MIXED:
        if _defines(cls, name):
            return getattr(cls, name)
        operation = _operation(name) if hasattr(cls, name) else None
        if operation is None and name == "__init__":
            return Builtin(name, _plain_init)
        if operation is None:
            raise missing(cls, name)
        return Builtin(name, operation)
    if name in ("__setattr__", "__getattr__", "__delattr__") and not _defines(cls, name):
        return Builtin(name, lambda instance, *args: _via_class(cls, name, instance, *args))
    if name == "__new__" and not _defines(cls, name):
        return Builtin(name, _plain_new)
    return _callable(name, getattr(cls, name))


_SLOT_WRAPPERS = (type("".__len__), type(str.__len__), type("".join), type(str.join), type(dict.fromkeys))


def _callable(name: str, found: Any) -> Any:
    """Python's own special methods as functions of ours."""
    if isinstance(found, _SLOT_WRAPPERS):
        return Builtin(name, lambda *args, **kwargs: found(*args, **kwargs))
    return found


def _plain_init(instance: Any, *args: Any, **kwargs: Any) -> None:
    for base in type(instance).__mro__:
        if base in METHODS and base is not object:
            initialize: Any = base.__init__  # type: ignore[misc]
            initialize(instance, *(items(arg) for arg in args), **kwargs)
            return


def _plain_new(cls: Any, *args: Any, **kwargs: Any) -> Any:
    if not isinstance(cls, type) or kind_of(cls) == OTHER:
        raise TypeError("object.__new__(X): X is not a type object that can be made here")
    return (
        cls.__new__(cls, *args, **kwargs)
        if not _defines(cls, "__new__") and kind_of(cls) != OWN
        else object.__new__(cls)
    )


def _via_class(cls: type, name: str, instance: Any, key: str, *args: Any) -> Any:
    check_name(instance, key)
    return getattr(cls, name)(instance, key, *args)


def _super_dunder(value: Super, name: str) -> Any:
    if name == "__class__":
        return Super
    if name in ("__setattr__", "__delattr__", "__getattr__"):
        native = getattr(value.inner, name)

        def use(key: str, *args: Any) -> Any:
            check_name(value.instance, key)
            if name == "__setattr__":
                _check_value(value.instance, key)
            return native(key, *args)

        return Builtin(name, use)
    if name == "__new__":
        return Builtin(name, lambda cls, *args, **kwargs: _super_new(value, cls, args, kwargs))
    found = getattr(value.inner, name)
    if isinstance(value.instance, _BUILTIN_BASES) and not isinstance(getattr(found, "__func__", None), Function):
        if name == "__init__":
            return Builtin(name, lambda *args, **kwargs: _plain_init(value.instance, *args, **kwargs))
        operation = _operation(name)
        if operation is None:
            raise missing(value, name)
    return _callable(name, found)


def _super_new(value: Super, cls: Any, args: Any, kwargs: Any) -> Any:
    native = value.inner.__new__
    if native is object.__new__:
        return object.__new__(cls)
    return native(cls, *args, **kwargs)


def check_name(instance: Any, name: Any) -> None:
    """Refuse to set or delete a name that Python itself would act on."""
    if not isinstance(name, str):
        raise TypeError("attribute name must be string, not '" + type(name).__name__ + "'")
    if is_dunder(name) and name not in INSTANCE_DUNDERS:
        raise AttributeError(f"'{type(instance).__name__}' object attribute '{name}' cannot be changed here")


def _dict_of(value: Any) -> Any:
    from engine.program.namespace import Namespace

    if isinstance(value, type) or kind_of(type(value)) not in (OWN, ENGINE, MIXED):
        raise missing(value, "__dict__")
    return Namespace(value)


def class_of_value(value: Any) -> Any:
    """`type(value)` as the program sees it."""
    from engine.program.builtins import TYPE

    if isinstance(value, type) or value is TYPE:
        return TYPE
    return type(value)


def _name_of(value: Any) -> Any:
    if isinstance(value, type | Function | Builtin | MethodType | FunctionType | Generator):
        return value.__func__.__name__ if isinstance(value, MethodType) else _plain_name(value)
    raise missing(value, "__name__")


def _plain_name(value: Any) -> str:
    if isinstance(value, Generator):
        return str(value.name)
    return str(value.__name__.rpartition(".")[2] if isinstance(value, type) else value.__name__)


def _qualname_of(value: Any) -> Any:
    if isinstance(value, MethodType):
        value = value.__func__
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else _name_of(value)


def _doc_of(value: Any) -> Any:
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, Function):
        return value.doc
    doc = getattr(value, "__doc__", None) if isinstance(value, type) or kind_of(type(value)) != OTHER else None
    return doc if isinstance(doc, str) else None


def _module_name_of(value: Any) -> Any:
    module = getattr(value, "module", None) if isinstance(value, Function) else getattr(value, "__module__", None)
    if not isinstance(module, str):
        raise missing(value, "__module__")
    return module.replace("engine", "torch", 1) if module.split(".")[0] == "engine" else module


def visible_mro(cls: type) -> list[Any]:
    """`cls.__mro__` without the classes that only exist here."""
    return [base for base in cls.__mro__ if not base.__dict__.get("__invisible__")]


def _mro_of(value: Any) -> Any:
    if not isinstance(value, type):
        raise missing(value, "__mro__")
    return tuple(visible_mro(value))


def _bases_of(value: Any) -> Any:
    if not isinstance(value, type):
        raise missing(value, "__bases__")
    return tuple(object if base.__dict__.get("__invisible__") else base for base in value.__bases__)


def _exception_part(name: str, default: Any) -> Callable[[Any], Any]:
    def part(value: Any) -> Any:
        if not isinstance(value, ExceptionValue):
            raise missing(value, name)
        return value.__dict__.get(name, default)

    return part


def _wrapped_of(value: Any) -> Any:
    if isinstance(value, Function) and value.attributes and "__wrapped__" in value.attributes:
        return value.attributes["__wrapped__"]
    raise missing(value, "__wrapped__")


def _annotations_of(value: Any) -> Any:
    if isinstance(value, type) and isinstance(value.__dict__.get("__annotations__"), dict):
        return dict(value.__dict__["__annotations__"])
    if isinstance(value, Function):
        return {}
    raise missing(value, "__annotations__")


def _defaults_of(value: Any) -> Any:
    if isinstance(value, Function):
        return value.defaults or None
    raise missing(value, "__defaults__")


def _unavailable(name: str) -> Callable[[Any], Any]:
    def fail(value: Any) -> Any:
        raise refused(value, name)

    return fail


_DUNDER_VALUES: dict[str, Callable[[Any], Any]] = {
    "__class__": class_of_value,
    "__dict__": _dict_of,
    "__name__": _name_of,
    "__qualname__": _qualname_of,
    "__doc__": _doc_of,
    "__module__": _module_name_of,
    "__mro__": _mro_of,
    "__bases__": _bases_of,
    "__annotations__": _annotations_of,
    "__defaults__": _defaults_of,
    "__wrapped__": _wrapped_of,
    "__code__": _unavailable("__code__"),
    "__cause__": _exception_part("__cause__", None),
    "__context__": _exception_part("__context__", None),
    "__suppress_context__": _exception_part("__suppress_context__", False),
    "__notes__": _exception_part("__notes__", None),
}

_GUARDED: dict[str, Callable[..., Any]] = {
    **{
        f"__{name}__": BINARY[op]
        for op, name in zip(
            BINARY, "add sub mul truediv floordiv mod pow matmul lshift rshift or and xor".split(), strict=True
        )
    },
    **{f"__{name}__": COMPARE[op] for op, name in zip(COMPARE, "eq ne lt le gt ge".split(), strict=False)},
    **{f"__{name}__": UNARY[op] for op, name in zip(UNARY, "neg pos invert".split(), strict=True)},
    "__contains__": lambda container, item: BINARY and item in container,
    "__getitem__": lambda value, index: subscript(value, index),
    "__setitem__": lambda value, index, item: assign_item(value, index, item),
    "__delitem__": lambda value, index: delete_item(value, index),
}


# --- readers of our own types


def _read_module(module: Module, name: str) -> Any:
    if name == "__name__":
        return module.name
    if name == "__class__":
        return Module
    found = module.find(name)
    if found is UNSET:
        raise missing(module, name)
    return found


def _read_function(function: Function, name: str) -> Any:
    if function.attributes is not None and name in function.attributes:
        return function.attributes[name]
    raise missing(function, name)


def _read_super(value: Super, name: str) -> Any:
    inner = value.inner
    if isinstance(value.instance, _BUILTIN_BASES):
        chain = type(value.instance).__mro__
        for base in chain[chain.index(value.owner) + 1 :]:
            if "__program__" in base.__dict__ and name in base.__dict__:
                return getattr(inner, name)
            method = class_method(base, name)
            if method is not UNSET:
                return Builtin(name, MethodType(method, value.instance))
        raise missing(value, name)
    kind = value.instance if isinstance(value.instance, type) else type(value.instance)
    if name.startswith("_") and kind_of(kind) == ENGINE and name not in EXTRA and not _defines(kind, name):
        raise missing(value, name)
    found = getattr(inner, name)
    admitted = admit(found)
    if admitted is UNSET:
        raise missing(value, name)
    return admitted


def _read_property(value: property, name: str) -> Any:
    if name in ("setter", "getter", "deleter"):
        return Builtin(name, getattr(value, name))
    raise missing(value, name)


def _read_silent(value: Silent, name: str) -> Any:
    return value.member(name)


def _read_opaque(value: Opaque, name: str) -> Any:
    return Opaque(f"{value.name}.{name}")


def _nothing(value: Any, name: str) -> Any:
    raise missing(value, name)


_READERS: dict[type, Callable[[Any, str], Any]] = {
    Module: _read_module,
    Function: _read_function,
    Super: _read_super,
    Silent: _read_silent,
    Opaque: _read_opaque,
    property: _read_property,
    Builtin: _nothing,
    HostMethod: _nothing,
    MethodType: lambda value, name: (
        _read_function(value.__func__, name) if isinstance(value.__func__, Function) else _nothing(value, name)
    ),
    FunctionType: _nothing,
}
READERS = _READERS


# --- writing


def write(target: Any, name: str, value: Any) -> None:
    """`target.name = value`. Raises AttributeError or TypeError."""
    kind = type(target)
    if kind is Function:
        _write_function(target, name, value)
    elif kind is Silent:
        return
    elif kind is Module:
        if not target.name.startswith("torch.backends"):
            raise AttributeError(f"module '{target.name}' cannot be changed here")
    elif isinstance(target, type):
        _write_class(target, name, value)
    elif kind_of(kind) == OTHER or kind in METHODS:
        if kind in METHODS and name in METHODS[kind]:
            raise AttributeError(f"'{kind.__name__}' object attribute '{name}' is read-only")
        raise missing(target, name)
    elif isinstance(target, BackwardCFunction) and name not in SHOWN["Node"] and not is_dunder(name):
        target.attributes[name] = value
    else:
        check_name(target, name)
        _check_value(target, name)
        setattr(target, name, value)


def _check_value(target: Any, name: str) -> None:
    kind = type(target)
    if kind_of(kind) != ENGINE or _defines(kind, name):
        return
    if name.startswith("_"):
        if name in reserved(kind):
            raise AttributeError(f"attribute '{name}' of '{kind.__name__}' objects is not writable here")
        return
    if any(base.__name__ in SHARED and is_engine_class(base) for base in kind.__mro__):
        raise missing(target, name)
    if any(base.__name__ in SHOWN and is_engine_class(base) for base in kind.__mro__):
        held = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), UNSET)
        if held is not UNSET and not isinstance(held, property):
            raise AttributeError(f"attribute '{name}' of '{kind.__name__}' objects is not writable")


def _write_function(function: Function, name: str, value: Any) -> None:
    if name in ("__name__", "__qualname__", "__doc__", "__module__"):
        if name != "__doc__" and not isinstance(value, str):
            raise TypeError(f"{name} must be set to a string object")
        setattr(function, name.strip("_"), value)
        return
    if is_dunder(name) and name not in INSTANCE_DUNDERS:
        raise refused(function, name)
    if function.attributes is None:
        function.attributes = {}
    function.attributes[name] = value


def _write_class(cls: type, name: str, value: Any) -> None:
    if "__program__" not in cls.__dict__:
        raise TypeError(f"cannot set '{name}' attribute of immutable type '{cls.__name__}'")
    if is_dunder(name):
        from engine.program.classes import member

        value = member(name, value)
    setattr(cls, name, value)
    sessions.active.epoch[0] += 1


def erase(target: Any, name: str) -> None:
    """`del target.name`. Raises AttributeError."""
    kind = type(target)
    if kind is Function and target.attributes and name in target.attributes:
        del target.attributes[name]
    elif isinstance(target, type):
        if "__program__" not in target.__dict__ or is_dunder(name):
            raise TypeError(f"cannot delete '{name}' attribute of immutable type '{target.__name__}'")
        delattr(target, name)
        sessions.active.epoch[0] += 1
    elif kind_of(kind) == OTHER or kind in METHODS:
        raise missing(target, name)
    elif isinstance(target, BackwardCFunction) and name in target.attributes:
        del target.attributes[name]
    else:
        check_name(target, name)
        _check_value(target, name)
        delattr(target, name)


_ATTRIBUTE_CALLS: dict[str, Callable[..., Any]] = {"__setattr__": write, "__getattr__": read, "__delattr__": erase}


# --- subscripts


def subscript(value: Any, index: Any) -> Any:
    """`value[index]`."""
    kind = type(index)
    if kind is slice and type(value) in METHODS:
        meter.charge(1)
    elif kind is tuple and isinstance(value, dict):
        from engine.program.operators import guard_key

        guard_key(index)
    elif sessions.active.arrays and isinstance(value, Tensor):
        from engine.program.modules.arrays import unwrap

        index = unwrap(index)
    return value[index]


def assign_item(target: Any, index: Any, value: Any) -> None:
    """`target[index] = value`."""
    if isinstance(target, list) and type(index) is slice:
        value = items(value)
        from engine.program.operators import grow

        grow(len(target) + len(value))
    elif type(index) is tuple and isinstance(target, dict):
        from engine.program.operators import guard_key

        guard_key(index)
    elif sessions.active.arrays and isinstance(target, Tensor):
        from engine.program.modules.arrays import Scalar, unwrap

        index = unwrap(index)
        if isinstance(value, Scalar):
            value = value._a
    target[index] = value


def delete_item(target: Any, index: Any) -> None:
    """`del target[index]`."""
    del target[index]


CLOSED: frozenset[type] = frozenset(METHODS) | {
    type(None), type(...), type(NotImplemented), Function, Builtin, HostMethod, MethodType, FunctionType, Module, Super, Silent, Opaque,
    Generator, property, staticmethod, classmethod,
}  # fmt: skip
"""Types that any engine value may have; the engine's own and the program's join as they are met."""
assert not issubclass(Raised, tuple(CLOSED))
assert SPEAKING <= CLOSED
