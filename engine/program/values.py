"""The kinds of value that only programs have. Python's type names are kept, because error texts print them.

Host code may call, iterate and compare these like the real things; a program reaches only what `attributes` lists.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType, GenericAlias, MethodType
from typing import Any, ClassVar

from engine import errors
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.optim.optimizer import Optimizer
from engine.program import session as sessions
from engine.program.errors import Position
from engine.program.session import Session
from engine.program.shared import is_shared, of_this_run
from engine.program.tables import FROM_HOST
from engine.signatures.complaints import refusal_of_method
from engine.signatures.native import known

_NESTED = 2
"""Calls that host code counts for when it may call itself through the program."""

CallFrame = list[Any]
"""A frame: `[enclosing frame, slot 1, slot 2, …]`."""
Code = Callable[["Function", "tuple[Any, ...]", "dict[str, Any] | None"], Any]


class _Unset:
    """Marks a variable without a value."""

    def __repr__(self) -> str:
        return "<unset>"


UNSET: Any = _Unset()


def name_as(cls: type, name: str) -> None:
    """Give a class of ours the name of the built-in type it stands for."""
    cls.__name__ = cls.__qualname__ = name
    cls.__module__ = "builtins"


class Function:
    """A function the program defined."""

    __slots__ = (
        "__qualname__", "annotations", "attributes", "closure", "code", "defaults", "doc", "kwdefaults",
        "module", "name", "session",
    )  # fmt: skip

    def __init__(self, name: str, qualname: str, code: Code, closure: CallFrame, session: Session) -> None:
        self.name = name
        self.__qualname__ = qualname
        self.code = code
        self.closure = closure
        self.session = session
        self.defaults: tuple[Any, ...] = ()
        self.kwdefaults: dict[str, Any] = {}
        self.doc: str | None = None
        self.module = "__main__"
        self.attributes: dict[str, Any] | None = None
        self.annotations: dict[str, Any] | None = None

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """The way in for host code: hooks, `forward`, special methods."""
        if self.session.over:
            raise RuntimeError(f"{self.name}() was called after its program had ended")
        if self.session.arrays:
            args = tuple([_from_host(arg) for arg in args])
            kwargs = {key: _from_host(value) for key, value in kwargs.items()}
        before = state.position
        try:
            return self.code(self, args, kwargs or None)
        finally:
            state.position = before

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def __signature__(self) -> inspect.Signature:
        """The parameters as `inspect` describes them, for host code that binds arguments to them."""
        described: inspect.Signature = self.code.describe(self)  # type: ignore[attr-defined]
        return described

    @property
    def qualname(self) -> str:
        """The name with the classes and functions it was defined in."""
        return self.__qualname__

    @qualname.setter
    def qualname(self, name: str) -> None:
        self.__qualname__ = name

    def __repr__(self) -> str:
        return f"<function {self.qualname} at {self.session.identity(self):#x}>"

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, memo: Any) -> Function:
        return self


name_as(Function, "function")


def _from_host(value: Any) -> Any:
    convert = FROM_HOST.get(type(value))
    return value if convert is None else convert(value)


class Builtin:
    """A function of ours that programs can call: `len`, `math.sqrt`, `str.upper`.

    `self_name` is what its repr shows it to be a method of, if anything.
    """

    __slots__ = ("__qualname__", "function", "name")

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name = name
        self.__qualname__ = name
        self.function = function

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        session = sessions.active
        budget = session.budget
        budget[0] -= 1
        if budget[0] < 0:
            out_of_fuel(session)
        budget[1] -= _NESTED
        before = state.position
        if session.arrays:
            args = tuple([arg if isinstance(arg, list | tuple | dict) else _from_host(arg) for arg in args])
        try:
            if budget[1] < 0:
                raise RecursionError("maximum recursion depth exceeded")
            return self.function(*args, **kwargs)
        finally:
            budget[1] += _NESTED
            state.position = before

    @property
    def __name__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<built-in function {self.name}>"

    def __copy__(self) -> Builtin:
        return self

    def __deepcopy__(self, memo: Any) -> Builtin:
        return self


name_as(Builtin, "builtin_function_or_method")


class HostMethod(Builtin):
    """A function of ours that is Python's elsewhere: it binds `self` in a class (dataclasses, namedtuples).

    `wrapped` is the function that it was made of by a decorator, if any.
    """

    __slots__ = ("wrapped",)

    def __init__(self, name: str, function: Callable[..., Any], wrapped: Any = UNSET) -> None:
        super().__init__(name, function)
        self.wrapped = wrapped

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<function {self.name} at {sessions.active.identity(self):#x}>"


name_as(HostMethod, "function")


class Constructor(HostMethod):
    """`__new__` of a named tuple. `defaults` are those of its last fields: programs may set them."""

    __slots__ = ("defaults",)

    def __init__(self, owner: str, function: Callable[..., Any], defaults: tuple[Any, ...]) -> None:
        super().__init__("__new__", function)
        self.__qualname__ = f"{owner}.__new__"
        self.defaults = defaults

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __repr__(self) -> str:
        return f"<function {self.__qualname__} at {sessions.active.identity(self):#x}>"


name_as(Constructor, "function")


class TypeMethod(HostMethod):
    """A method of one of Python's types read from the type: `dict.get`, `list.__add__`. In a class, it binds `self`."""

    __slots__ = ("owner",)

    def __init__(self, name: str, function: Callable[..., Any], owner: type) -> None:
        super().__init__(name, function)
        self.__qualname__ = f"{owner.__name__}.{name}"
        self.owner = owner

    @property
    def special(self) -> bool:
        """Whether its name has two underscores at both ends."""
        return self.name.startswith("__")

    def check(self, args: Sequence[Any]) -> None:
        """Raises TypeError where the first argument is no object of the type."""
        owner = self.owner.__name__
        if not args:
            if self.special:
                raise TypeError(f"descriptor '{self.name}' of '{owner}' object needs an argument")
            raise TypeError(f"unbound method {owner}.{self.name}() needs an argument")
        kind = type(args[0])
        if not issubclass(kind, self.owner) and getattr(kind, "__mixed__", None) is not self.owner:
            if self.special:
                raise TypeError(
                    f"descriptor '{self.name}' requires a '{owner}' object but received a '{kind.__name__}'"
                )
            raise TypeError(
                f"descriptor '{self.name}' for '{owner}' objects doesn't apply to a '{kind.__name__}' object"
            )

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self.check(args)
        return super().__call__(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<method '{self.name}' of '{self.owner.__name__}' objects>"


name_as(TypeMethod, "method_descriptor")


def type_method(owner: type, name: str, function: Callable[..., Any]) -> Builtin:
    """What a program gets for `owner.name`, which is `function`."""
    if owner.__module__ not in ("builtins", "collections"):
        return Builtin(name, function)
    known = sessions.active.type_methods
    found: TypeMethod | None = known.get((owner, name))
    if found is None:
        found = known[owner, name] = TypeMethod(name, function, owner)
    return found


class Unbound(HostMethod):
    """A method of the engine that `owner` has, read from the class `read`. It works on objects of the owner, and on the
    program's own."""

    __slots__ = ("owner", "read")
    function: Any

    def __init__(self, function: FunctionType, owner: type, read: type) -> None:
        super().__init__(function.__name__, function)
        self.__qualname__ = function.__qualname__
        self.owner = owner
        self.read = read

    def check(self, args: Sequence[Any], kwargs: dict[str, Any] | None) -> None:
        """Raises TypeError for a first argument that the method could change and is not the program's to change, and
        for none."""
        if args:
            instance = args[0]
        elif kwargs:
            first = self.function.__code__.co_varnames[:1]
            instance = kwargs.get(first[0], UNSET) if first else UNSET
        else:
            instance = UNSET
        if instance is not UNSET and of_this_run(instance):
            return
        if instance is UNSET and self.function is Optimizer.step:
            raise errors.step_without_optimizer()
        refusal = refusal_of_method(self.function, args, kwargs or ())
        if refusal is not None:
            raise refusal
        if instance is UNSET:
            return
        if self._of(type(instance)) and not (self.name.startswith("__") and is_shared(instance)):
            return
        raise TypeError(
            f"descriptor '{self.name}' for '{self.owner.__name__}' objects doesn't apply to a"
            f" '{type(instance).__name__}' object"
        )

    def _of(self, kind: type) -> bool:
        """Whether objects of a class have this method, under whichever of its classes it is written."""
        code = self.function.__code__
        written = (base.__dict__.get(self.name) for base in kind.__mro__)
        return issubclass(kind, self.owner) or any(getattr(method, "__code__", None) is code for method in written)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self.check(args, kwargs)
        return super().__call__(*args, **kwargs)

    def __repr__(self) -> str:
        if self.owner is Tensor and (self.name in _SLOTS or known("Tensor", self.name)):
            kind = "slot wrapper" if self.name in _SLOTS else "method"
            return f"<{kind} '{self.name}' of 'torch._C.TensorBase' objects>"
        return f"<function {self.__qualname__} at {sessions.active.identity(self.function):#x}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unbound) and other.function is self.function

    def __hash__(self) -> int:
        return hash(self.function)


name_as(Unbound, "function")
_SLOTS = frozenset({"__getitem__", "__setitem__"})
"""Methods of tensors that PyTorch has as slots of their type."""


class NativeMethod(Builtin):
    """A method of a tensor that is read and not called, where PyTorch has written it in C."""

    __slots__ = ()
    function: MethodType

    def __repr__(self) -> str:
        owner = self.function.__self__
        address = sessions.active.identity(owner)
        return f"<built-in method {self.name} of {type(owner).__name__} object at {address:#x}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NativeMethod) and other.function == self.function

    def __hash__(self) -> int:
        return hash(self.function)


name_as(NativeMethod, "builtin_function_or_method")


class Accessor(Builtin):
    """`torch.Tensor.shape.__get__`, which reading an attribute of a tensor calls, or its `__set__`."""

    __slots__ = ("attribute",)

    def __init__(self, name: str, function: Callable[..., Any], attribute: str) -> None:
        super().__init__(name, function)
        self.__qualname__ = f"getset_descriptor.{name}"
        self.attribute = attribute

    def __repr__(self) -> str:
        return f"<method-wrapper '{self.name}' of getset_descriptor object at {fake_address(self)}>"


name_as(Accessor, "method-wrapper")


class Module:
    """An imported module: names and values. A program can read them, change none, and add others for its run."""

    __slots__ = ("find", "name", "names")

    def __init__(self, name: str, find: Callable[[str], Any], names: Callable[[], list[str]]) -> None:
        self.name = name
        self.find = find
        self.names = names

    @classmethod
    def of(cls, name: str, contents: dict[str, Any]) -> Module:
        """A module with fixed contents."""
        return cls(name, lambda key: contents.get(key, UNSET), lambda: list(contents))

    @property
    def changeable(self) -> bool:
        """Whether programs can set its names: `torch.backends.cudnn.deterministic = True`. It is so for their run."""
        return self.name.startswith("torch.backends.")

    def __repr__(self) -> str:
        return f"<module {self.name!r}>"

    def __copy__(self) -> Module:
        return self

    def __deepcopy__(self, memo: Any) -> Module:
        return self

    def __getattr__(self, name: str) -> Any:
        """For the engine, which looks for attributes of whatever it is given. Raises AttributeError."""
        if name in Module.__slots__:  # of one that is only half made
            raise AttributeError(name)
        raise AttributeError(f"module '{self.name}' has no attribute '{name}'")


name_as(Module, "module")


def out_of_fuel(session: Session, position: Position | None = None) -> None:
    """Stop the program: its fuel is gone, or it has ended already."""
    if session.over:
        raise RuntimeError("the program has ended")
    if position is not None:
        state.position = position
    meter.out_of_fuel()


@contextmanager
def nested() -> Iterator[None]:
    """Around host code that may call itself through the program: counts it as calls, so that it cannot go too deep."""
    budget = sessions.active.budget
    budget[1] -= _NESTED
    try:
        if budget[1] < 0:
            raise RecursionError("maximum recursion depth exceeded")
        yield
    finally:
        budget[1] += _NESTED


class Super:
    """What `super()` gives: Python's own `super` behind the program's attribute rules."""

    __slots__ = ("inner", "instance", "owner")

    def __init__(self, owner: type, instance: Any) -> None:
        self.inner = super(owner, instance)
        self.owner = owner
        self.instance = instance

    def __repr__(self) -> str:
        return repr(self.inner)


name_as(Super, "super")


class SuperOf(Builtin):
    """The name `super`, which is a class: `super.__init__()` lacks the object that `super()` makes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<class 'super'>"


name_as(SuperOf, "type")


class TupleGetter(property):
    """A field of a named tuple."""

    def __init__(self, index: int) -> None:
        super().__init__(lambda self: tuple.__getitem__(self, index))
        self.index = index

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError("can't set attribute")

    def __delete__(self, instance: Any) -> None:
        raise AttributeError("can't delete attribute")

    def __repr__(self) -> str:
        return f"_tuplegetter({self.index}, 'Alias for field number {self.index}')"


name_as(TupleGetter, "_tuplegetter")
TupleGetter.__module__ = "collections"


class Opaque:
    """A name that may be imported and passed around but has no behaviour: `typing.Optional`, an abstract class; with
    `args`, what stood in the brackets after it. See `engine.program.annotations`; `origin`: the program's class."""

    __slots__ = ("args", "make", "name", "origin")
    subscripted: ClassVar[Callable[[Opaque, Any], Any]]
    union: ClassVar[Callable[[tuple[Any, ...]], Any]]
    same: ClassVar[Callable[[Any, Any], bool]]

    def __init__(
        self, name: str, make: Callable[..., Any] | None = None, origin: type | None = None,
        args: tuple[Any, ...] | None = None,
    ) -> None:  # fmt: skip
        self.name, self.make, self.origin, self.args = name, make, origin, args

    def __getitem__(self, item: Any) -> Any:
        return Opaque.subscripted(self, item)

    def __or__(self, other: Any) -> Any:
        return Opaque.union((self, other))

    def __ror__(self, other: Any) -> Any:
        return Opaque.union((other, self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.make is not None:
            return self.make(*args, **kwargs)
        return self if self.origin is None else self.origin(*args, **kwargs)

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"'{type(self).__name__}' object is not iterable")

    def _parts(self) -> Any:
        return frozenset(self.args or ()) if self.name == "typing.Union" else self.args

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        if self is other:
            return True
        if self.name != other.name or self.origin is not other.origin or self.args is None or other.args is None:
            return self.name == other.name and self.args is other.args
        if self.name == "typing.Union":
            return bool(self._parts() == other._parts())
        return len(self.args) == len(other.args) and all(map(Opaque.same, self.args, other.args))

    def __hash__(self) -> int:
        return hash((self.name, self._parts()))

    def __repr__(self) -> str:
        return self.name


name_as(Opaque, "_SpecialForm")
Opaque.__module__ = "typing"


class Silent:
    """A stand-in for a library that draws or shows things: every use is accepted, does nothing, and says so once.

    A `quiet` one does not say so: nothing would be seen of it anyway.
    """

    __slots__ = ("name", "quiet")

    def __init__(self, name: str, quiet: bool = False) -> None:
        self.name = name
        self.quiet = quiet

    def member(self, name: str) -> Silent:
        """Any attribute."""
        return Silent(f"{self.name}.{name}", self.quiet)

    def __call__(self, *args: Any, **kwargs: Any) -> Silent:
        if not self.quiet:
            sessions.active.notice(f"{self.name}() does nothing here: what it shows or logs is no part of a run.")
        return Silent(self.name + "()", self.quiet)

    def __getitem__(self, item: Any) -> Silent:
        return self

    def _with(self, other: Any) -> Silent:
        """Transforms are added, heights of bars that are not drawn made larger."""
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _with

    def __setitem__(self, item: Any, value: Any) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def __repr__(self) -> str:
        return f"<{self.name}: nothing is drawn here>"


name_as(Silent, "module")


def fake_address(value: Any) -> str:
    """`0x7f10` for reprs: stable within a run and from run to run, and no real address."""
    return f"{sessions.active.identity(value):#x}"


_unbound: dict[tuple[FunctionType, type], Unbound] = {}


def unbound(function: FunctionType, owner: type, cls: type) -> Unbound:
    """A method of ours read from a class that inherits it from `owner`."""
    read = next(base for base in cls.__mro__ if "__program__" not in base.__dict__)  # they last no longer than the run
    known = _unbound.get((function, read))
    if known is None:
        known = _unbound[function, read] = Unbound(function, owner, read)
    return known


class TypeOf(Builtin):
    """The name `type`: says what something is, and makes classes (`classes`)."""

    __slots__ = ()
    __iter__ = None  # or `type[...]` would give it items without end

    def __repr__(self) -> str:
        return "<class 'type'>"

    def __or__(self, other: Any) -> Any:
        return TYPE if other is self else type | other

    def __ror__(self, other: Any) -> Any:
        return other | type

    def __getitem__(self, item: Any) -> Any:
        return GenericAlias(type, item)


name_as(TypeOf, "type")


def class_of_value(value: Any) -> Any:
    """`type(value)` as the program sees it."""
    kind = type(value)
    if kind is TypeOf or kind is SuperOf or isinstance(value, type) and "__program__" not in kind.__dict__:
        return TYPE
    return kind


TYPE = TypeOf("type", class_of_value)
