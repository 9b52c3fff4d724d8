"""What a program can reach through a dot: reading, writing and deleting attributes.

built-in types      the tables of `methods`
the program's own   everything its classes and instances hold
the engine's types  the public names that PyTorch has (`surface`), and what an attribute yields must itself be of a
                    known kind
anything else       nothing
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from engine import errors
from engine.autograd.function import CONTEXT, BackwardCFunction
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn.compiled import OptimizedModule
from engine.nn.module import HOOK_TABLES
from engine.nn.module import Module as Layer
from engine.optim.schedule import LRScheduler
from engine.program import session as sessions
from engine.program.absent import TOLD, exists_elsewhere, hint_for
from engine.program.admission import admit
from engine.program.arrays import CONVERTED, wrapped
from engine.program.exceptions import ExceptionValue, trail
from engine.program.kinds import (
    BUILTIN_BASES,
    DEFINABLE,
    ENGINE,
    INSTANCE_DUNDERS,
    MIXED,
    NO_UFUNCS,
    OTHER,
    OWN,
    attributes_of,
    check_name,
    check_owner,
    check_value,
    defines,
    engine_class_of,
    hidden,
    host_class_of,
    is_dunder,
    is_extra,
    is_private,
    kept_as,
    kind_of,
    missing,
    refused,
    replace_attributes,
    replaced_attributes,
    reserved,
    stored_names,
    visible_mro,
)
from engine.program.metaclasses import check_member, is_meta, read_super
from engine.program.operators import NESTING, weigh
from engine.program.overrides import DISABLED, DOING, assignment, attribute
from engine.program.shared import MUTABLE, made_here, own
from engine.program.special import ATTRIBUTE_CALLS, read_special
from engine.program.surface import ONLY_IMPORTED
from engine.program.tables import ATTRIBUTES, CLASS_METHODS, CLASS_VALUES, METHODS, READERS, WRITERS
from engine.program.values import (
    UNSET,
    Accessor,
    Builtin,
    Constructor,
    Function,
    HostMethod,
    Module,
    NativeMethod,
    Opaque,
    Silent,
    Super,
    SuperOf,
    TypeMethod,
    Unbound,
    type_method,
    unbound,
)
from engine.signatures.native import known
from engine.torch.distributions.distribution import Distribution


def read(value: Any, name: str) -> Any:
    """`value.name`. Raises AttributeError."""
    found = _read(value, name)
    return own(found) if type(found) in MUTABLE else found


def as_value(found: MethodType, name: str) -> Any:
    """What `value.name` yielded, as a program holds it that does not call it at once."""
    if type(found.__func__) is FunctionType and isinstance(found.__self__, Tensor) and known("Tensor", name):
        return NativeMethod(name, found)
    return found


def _read(value: Any, name: str) -> Any:
    kind = type(value)
    if is_dunder(name):
        kept = kept_as(name)
        if kept == name or not _keeps(value, kept):
            return read_special(value, name)
        name = kept
    reader = READERS.get(kind)
    if reader is not None:
        return reader(value, name)
    methods = METHODS.get(kind)
    if methods is not None:
        method = methods.get(name)
        if method is not None:
            return Builtin(name, MethodType(method, value))
        attribute = ATTRIBUTES.get(kind, {}).get(name)
        if attribute is not None:
            return attribute(value)
        if (kind, name) in CLASS_METHODS:
            return Builtin(name, CLASS_METHODS[kind, name])
        raise missing(value, name)
    if isinstance(value, type):
        return _read_class(value, name)
    verdict = kind_of(kind)
    if verdict == OWN:
        if is_private(kind, name):
            raise missing(value, name)
        held = replaced_attributes(value, name)
        return getattr(value, name) if held is None or name not in dict.keys(held) else dict.__getitem__(held, name)
    if verdict == ENGINE:
        return _read_engine(value, kind, name)
    if verdict == MIXED:
        return _read_mixed(value, kind, name)
    raise missing(value, name)


def _keeps(value: Any, name: str) -> bool:
    """Whether a class of the program, or an object of one, has an attribute."""
    instance = value.instance if type(value) is Super else value
    cls = instance if isinstance(instance, type) else type(instance)
    if any(name in base.__dict__ for base in cls.__mro__ if "__program__" in base.__dict__):
        return True
    return kind_of(cls) in (OWN, ENGINE, MIXED) and name in attributes_of(instance)


def passed_on(target: Any, name: str) -> bool:
    """Whether an attribute is that of the module which a compiled one holds."""
    return type(target) is OptimizedModule and not target.owns(name)


def _read_engine(value: Any, kind: type, name: str) -> Any:
    if passed_on(value, name):
        return _read(value._orig_mod, name)
    if isinstance(value, BackwardCFunction) and name in value.attributes:
        return value.attributes[name]
    own = sessions.active.overrides
    if own is not None and isinstance(value, Tensor):
        answer = attribute(own, value, name)
        if answer is not UNSET:
            return answer
    if not shown(value, kind, name):
        if hasattr(value, name):
            raise missing(value, name)
        return getattr(value, name)
    return admit_attribute(value, name, getattr(value, name))


def admit_attribute(value: Any, name: str, found: Any) -> Any:
    """What `value.name` yielded, if the program may hold it. Raises AttributeError if not."""
    session = sessions.active
    if session.arrays and type(found) in CONVERTED:
        found = wrapped(found)
    if type(found) in session.closed:
        return found
    admitted = admit(found)
    if admitted is UNSET:
        for base in type(value).__mro__:
            method = METHODS.get(base, {}).get(name)
            if method is not None:
                return Builtin(name, MethodType(method, value))
        raise missing(value, name)
    return admitted


def shown(value: Any, kind: type, name: str) -> bool:
    """Whether a program may read an attribute of one of the engine's objects."""
    if name.startswith("_"):
        if is_extra(kind, name) or name.startswith(("_saved_", "_raw_saved_")):
            return True
        if any(name in base.__dict__ for base in kind.__mro__ if "__program__" in base.__dict__):
            return True
        if name in reserved(kind):
            return False
        return name in attributes_of(value) or hasattr(value, name)  # parameters, buffers and modules
    return name not in hidden(kind) or defines(kind, name)


def _read_mixed(value: Any, kind: type, name: str) -> Any:
    held = replaced_attributes(value, name)
    if held is not None and name in dict.keys(held):
        return dict.__getitem__(held, name)
    if name in attributes_of(value):
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
    found = _from_type(cls, name)
    if found is not UNSET:
        return found
    if cls in METHODS:
        raise missing(cls, name)
    verdict = kind_of(cls)
    if verdict == OTHER:
        raise missing(cls, name)
    if verdict == ENGINE and not defines(cls, name):
        if not is_extra(cls, name) if name.startswith("_") else name in hidden(cls):
            raise missing(cls, name)
    if verdict == OWN and is_private(cls, name):
        raise missing(cls, name)
    place = next((base for base in cls.__mro__ if name in base.__dict__), None)
    if place is None:
        if name == "mro":
            return Builtin(name, lambda: visible_mro(cls))
        if hasattr(type, name):
            raise missing(cls, name)
    elif place is type:  # of a metaclass, which has no more of it than what stands in `metaclasses`
        if name != "mro":
            raise missing(cls, name)
        return Builtin(name, _mro_of)
    elif type(place.__dict__[name]) is FunctionType:
        return unbound(place.__dict__[name], place, cls)
    if verdict == MIXED and not defines(cls, name):
        for base in cls.__mro__:
            found = _from_type(base, name)
            if found is not UNSET:
                return found
        raise missing(cls, name)
    found = getattr(cls, name)
    if verdict == OWN:
        return found
    admitted = admit(found)
    if admitted is UNSET:
        raise missing(cls, name)
    return admitted


def _mro_of(cls: Any) -> list[Any]:
    if not isinstance(cls, type):
        raise TypeError(f"descriptor 'mro' for 'type' objects doesn't apply to a '{type(cls).__name__}' object")
    return visible_mro(cls)


def _from_type(kind: type, name: str) -> Any:
    """The same as a value, or UNSET."""
    found = CLASS_METHODS.get((kind, name))
    if found is not None:
        return Builtin(name, found)
    if (kind, name) in CLASS_VALUES:
        return CLASS_VALUES[kind, name]
    found = METHODS.get(kind, {}).get(name)
    return UNSET if found is None else type_method(kind, name, found)


def class_method(kind: type, name: str) -> Any:
    """`dict.fromkeys`, `str.upper`: what a built-in class itself offers, or UNSET."""
    found = CLASS_METHODS.get((kind, name))
    return found if found is not None else METHODS.get(kind, {}).get(name, UNSET)


def read_module(module: Module, name: str) -> Any:
    if name == "__name__":
        return module.name
    if name == "__class__":
        return Module
    if name == "__dict__":
        names = module.names()
        meter.charge(len(names))
        return {each: read(module, each) for each in names}
    if module.changeable and (module.name, name) in sessions.active.settings:
        return sessions.active.settings[module.name, name]
    found = UNSET if name in ONLY_IMPORTED.get(module.name, ()) else module.find(name)
    if found is UNSET:
        if (module.name, name) in sessions.active.settings:
            return sessions.active.settings[module.name, name]
        if (module.name, name) in TOLD:
            raise AttributeError(TOLD[module.name, name])
        error = missing(module, name)
        if type(error) is AttributeError and module.name.partition(".")[0] == "torch":
            if exists_elsewhere(module.name, name):
                error = NotImplementedError(f"{module.name}.{name} is not available in Backlight yet")
        if type(error) is AttributeError:
            trail(error).hint = hint_for(module.name, name)
        raise error
    return found


def _read_function(function: Function, name: str) -> Any:
    if function.attributes is not None and name in function.attributes:
        return function.attributes[name]
    raise missing(function, name)


def _read_super(value: Super, name: str) -> Any:
    inner = value.inner
    if isinstance(value.instance, BUILTIN_BASES):
        chain = type(value.instance).__mro__
        for base in chain[chain.index(value.owner) + 1 :]:
            if "__program__" in base.__dict__ and name in base.__dict__:
                return getattr(inner, name)
            method = class_method(base, name)
            if method is not UNSET:
                return Builtin(name, MethodType(method, value.instance))
        raise missing(value, name)
    kind = value.instance if isinstance(value.instance, type) else type(value.instance)
    if is_meta(value.owner):
        return read_super(value, name)
    if name.startswith("_") and kind_of(kind) == ENGINE and not is_extra(kind, name) and not defines(kind, name):
        raise missing(value, name)
    found = getattr(inner, name)
    admitted = admit(found)
    if admitted is UNSET:
        raise missing(value, name)
    return admitted


def _read_super_name(value: SuperOf, name: str) -> Any:
    raise AttributeError(f"type object 'super' has no attribute '{name}'")


def _read_property(value: property, name: str) -> Any:
    if name in ("setter", "getter", "deleter"):
        return Builtin(name, getattr(value, name))
    if name in ("fget", "fset", "fdel"):
        found = getattr(value, name)
        if found is None or type(found) in (Function, Builtin):  # not what a property of ours has
            return found
    raise missing(value, name)


def _read_silent(value: Silent, name: str) -> Any:
    return value.member(name)


def _read_opaque(value: Opaque, name: str) -> Any:
    if value.origin is not None:
        return _read(value.origin, name)
    return Opaque(f"{value.name}.{name}")


def _nothing(value: Any, name: str) -> Any:
    raise missing(value, name)


READERS |= {
    Module: read_module,
    Function: _read_function,
    Super: _read_super,
    Silent: _read_silent,
    Opaque: _read_opaque,
    property: _read_property,
    SuperOf: _read_super_name,
    Builtin: _nothing,
    HostMethod: _nothing,
    Constructor: _nothing,
    Accessor: _nothing,
    NativeMethod: _nothing,
    TypeMethod: _nothing,
    Unbound: _nothing,
    MethodType: lambda value, name: (
        _read_function(value.__func__, name) if isinstance(value.__func__, Function) else _nothing(value.__func__, name)
    ),
    FunctionType: _nothing,
}


def lasting(value: Any, name: str) -> bool:
    """Whether `value.name` is the same for the whole run: a name that a module came with."""
    return type(value) is Module and not value.changeable and (value.name, name) not in sessions.active.settings


def read_only(name: str) -> bool:
    """Whether a tensor's attribute of this name can be read but not assigned."""
    found = getattr(Tensor, name, None)
    return isinstance(found, property) and (found.fset is None or found.fset.__name__ == "not_writable")


def write(target: Any, name: str, value: Any) -> None:
    """`target.name = value`. Raises AttributeError or TypeError."""
    if passed_on(target, name):
        target = target._orig_mod
    kind = type(target)
    if kind is not Function and kind is not Module and not (isinstance(target, type) and name in DEFINABLE):
        name = kept_as(name)
    if name == "__dict__" and kind_of(kind) in (OWN, MIXED):
        _write_dict(target, value)
    elif kind is Function:
        _write_function(target, name, value)
    elif kind is Silent:
        return
    elif kind is Module:
        if is_dunder(name) or not target.changeable and target.find(name) is not UNSET:
            raise AttributeError(f"module '{target.name}' cannot be changed here")
        sessions.active.settings[target.name, name] = value
    elif isinstance(target, type):
        _write_class(target, name, value)
    elif kind in WRITERS:
        WRITERS[kind](target, name, value)
    elif kind_of(kind) == OTHER or kind in METHODS:
        if kind in METHODS and name in METHODS[kind]:
            raise AttributeError(f"'{kind.__name__}' object attribute '{name}' is read-only")
        raise missing(target, name)
    elif isinstance(target, BackwardCFunction) and name not in CONTEXT and not is_dunder(name):
        target.attributes[name] = value
    else:
        check_name(target, name)
        if name not in HOOK_TABLES or not isinstance(target, Layer):
            check_value(target, name)
        if read_only(name) and isinstance(target, Tensor):
            raise errors.not_writable(name)
        if type(value) in NESTING and kind_of(kind) == ENGINE:
            _weigh_over(target, name, value)
        own = sessions.active.overrides
        if own is not None and isinstance(target, Tensor) and assignment(own, target, name, value):
            return
        held = replaced_attributes(target, name)
        if held is None or defines(kind, "__setattr__"):
            setattr(target, name, value)
        else:
            dict.__setitem__(held, name, value)


def write_past(target: Any, name: str, value: Any) -> None:
    """`layer.__dict__[name] = value`, by which a layer registers nothing."""
    check_past(target, name, value)
    target.__dict__[name] = value


def check_past(target: Any, name: str, value: Any) -> None:
    """Refuse to set an attribute of a layer that a program cannot set, whatever way it takes."""
    check_name(target, name)
    check_value(target, name)
    if type(value) in NESTING:
        _weigh_over(target, name, value)


def _plain_setattr(target: Any, name: str, value: Any) -> None:
    check_past(target, name, value)
    object.__setattr__(target, name, value)


_LONGEST = 1000
"""Items of a container that replaces an option of a module, a scheduler or a distribution."""


def _weigh_over(target: Any, name: str, value: Any) -> None:
    """Charge for a container that replaces what the engine keeps under a name, and walks whenever it likes.

    Raises TypeError where it is not made for so much, LimitExceeded or RecursionError for what nobody could walk.
    """
    engine = engine_class_of(type(target))
    if engine is None or name not in stored_names(engine):
        return
    count = weigh(value)
    meter.charge(count >> 2)
    if count > _LONGEST and isinstance(target, Layer | LRScheduler | Distribution):
        raise TypeError(f"{name} of '{type(target).__name__}' objects is no {type(value).__name__} of so many items")


def _write_function(function: Function, name: str, value: Any) -> None:
    if name in ("__name__", "__qualname__", "__doc__", "__module__"):
        if name != "__doc__" and not isinstance(value, str):
            raise TypeError(f"{name} must be set to a string object")
        setattr(function, name.strip("_"), value)
        return
    if name == "__defaults__":
        _write_defaults(function, name, value)
        return
    if name == "__kwdefaults__":
        if value is not None and not isinstance(value, dict):
            raise TypeError("__kwdefaults__ must be set to a dict object")
        meter.charge(len(value or ()) >> 4)
        function.kwdefaults = dict(value or ())
        return
    if is_dunder(name) and name not in INSTANCE_DUNDERS:
        raise refused(function, name)
    if function.attributes is None:
        function.attributes = {}
    function.attributes[name] = value


def _write_defaults(function: Function | Constructor, name: str, value: Any) -> None:
    if name != "__defaults__":
        raise missing(function, name)
    if value is not None and not isinstance(value, tuple):
        raise TypeError("__defaults__ must be set to a tuple object")
    meter.charge(len(value or ()) >> 4)
    function.defaults = tuple(tuple.__iter__(value or ()))


WRITERS[Constructor] = _write_defaults


def _write_dict(target: Any, value: Any) -> None:
    check_owner(target, "__dict__")
    kind = type(target)
    if not hasattr(target, "__dict__") or host_class_of(kind) is not None or issubclass(kind, ExceptionValue):
        raise AttributeError(f"'{kind.__name__}' object attribute '__dict__' cannot be changed here")
    owner_of = SHARED_DICT.get(type(value))
    owner = None if owner_of is None else owner_of(value)
    if owner is not None and kind_of(type(owner)) in (OWN, MIXED) and host_class_of(type(owner)) is None:
        target.__dict__ = owner.__dict__
        return
    if not isinstance(value, dict):
        raise TypeError(f"__dict__ must be set to a dictionary, not a '{type(value).__name__}'")
    replace_attributes(target, value)


SHARED_DICT: dict[type, Callable[[Any], Any]] = {}
"""What stands for the attributes of an object → what gives the object; `namespace` has it."""


def _write_class(cls: type, name: str, value: Any) -> None:
    check_owner(cls, name)
    if is_meta(cls):
        check_member(name, value)
    setattr(cls, name, member(name, value))
    sessions.active.epoch[0] += 1


def member(name: str, value: Any) -> Any:
    """A class member as Python's type system wants it. Raises TypeError for special names that are not run here."""
    if not is_dunder(name):
        if name == NO_UFUNCS and value is not None:
            raise TypeError("a class that defines __array_ufunc__ cannot be run here, unless it is None")
        return value
    if name == "__torch_dispatch__":
        raise NotImplementedError("__torch_dispatch__ is not available in Backlight yet: define __torch_function__")
    if name not in DEFINABLE or (name == "__module__" and not isinstance(value, str)):
        raise TypeError(f"a class that defines {name} cannot be run here")
    if name == "__new__" and type(value) is Function:
        return staticmethod(value)
    if name == "__torch_function__" and value is not DISABLED:
        inner = getattr(value, "__func__", value)
        if type(inner) is not Function:
            raise TypeError("__torch_function__ that is no function of the program cannot be run here")
    if name in ("__init_subclass__", "__class_getitem__") and type(value) is Function:
        return classmethod(value)
    if name == "__getattr__":
        return _careful(value)
    if name == "__slots__":
        names = (value,) if isinstance(value, str) else tuple(value)
        if any(is_dunder(slot) for slot in names):
            raise TypeError("__slots__ with special names cannot be run here")
        return names
    return value


def _careful(getattr_: Any) -> Any:
    def __getattr__(self: Any, name: str) -> Any:
        if is_dunder(name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr_.__get__(self, type(self))(name)

    return HostMethod("__getattr__", __getattr__)


def erase(target: Any, name: str) -> None:
    """`del target.name`. Raises AttributeError."""
    if passed_on(target, name):
        target = target._orig_mod
    kind = type(target)
    if kind is Function and target.attributes and name in target.attributes:
        del target.attributes[name]
    elif isinstance(target, type):
        if not made_here(target) or is_dunder(name):
            raise TypeError(f"cannot delete '{name}' attribute of immutable type '{target.__name__}'")
        delattr(target, name)
        sessions.active.epoch[0] += 1
    elif kind_of(kind) == OTHER or kind in METHODS:
        raise missing(target, name)
    elif isinstance(target, BackwardCFunction) and name in target.attributes:
        del target.attributes[name]
    else:
        check_name(target, name)
        check_value(target, name)
        if read_only(name) and isinstance(target, Tensor):
            raise errors.not_writable(name)
        held = replaced_attributes(target, name)
        if held is None or defines(kind, "__delattr__"):
            delattr(target, name)
        elif name in dict.keys(held):
            dict.__delitem__(held, name)
        else:
            raise missing(target, name)


DOING |= {"read": read, "write": write}
ATTRIBUTE_CALLS |= {
    "__setattr__": write, "__getattr__": read, "__delattr__": erase, "object.__setattr__": _plain_setattr
}  # fmt: skip
