"""Hashes of what Python hashes by address: classes, functions, modules, and all objects of which nothing else is said.

Sets lie as the hashes of their elements do, and addresses differ from one process to the next. So each of these objects
has a hash of its own here: of its name, where it has one that does not depend on the program, else a number, in the
order in which they are asked for. A method `__hash__` would be seen, by `vars` and by dataclasses; what is changed is
where CPython keeps the function that hashes (`tp_hash` of a class, `d_wrapped` of `object.__hash__`). On a full stack,
where no function of Python can be called, a hash that is asked for is another one.

Sets and dicts that there were before are filled again, those that Python's garbage collection knows. numpy has some of
which it knows nothing, by classes of C, so it must not be there yet. A process that does none of this runs programs as
well, but the order of such sets is its own; so it is where Python's structs are laid out otherwise than known here.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from sys import getrefcount  # the machine's, whatever programs find in its place
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType, WrapperDescriptorType
from typing import Any, Protocol
from zlib import crc32

_WORD = ctypes.sizeof(ctypes.c_void_p)
_HASH_OF_CLASS = 15 * _WORD
"""Where these structs of CPython have the member, in bytes: `tp_hash` in `PyTypeObject`,"""
_WRAPPED = 6 * _WORD
"""`d_wrapped` in `PyWrapperDescrObject`,"""
_HASH_OF_WEAKREF = 4 * _WORD
"""`hash` in `PyWeakReference`,"""
_HASH_OF_SET = 6 * _WORD
"""`hash` in `PySetObject`,"""
_HASH_OF_LINK, _KEY_OF_LINK = 4 * _WORD, 5 * _WORD
"""`hash` and `key` in `lru_list_elem`,"""
_HASH_OF_TUPLE = 3 * _WORD
"""and `ob_hash` in `PyTupleObject`, from Python 3.14 on."""
_TUPLES_KEEP_THEIRS = tuple.__basicsize__ > _HASH_OF_TUPLE
_UNKNOWN = -1
"""What is there until somebody asks."""

_TP_HASH = 59
"""`Py_tp_hash`, of Python's stable ABI."""
_OF_NUMBER = ctypes.PYFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p)
_OF_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_ssize_t, ctypes.py_object)
_FEW = 1000
"""So many objects without weak references are held before it is first asked which of them are needed."""
_PLAIN = frozenset({str, int, float, bool, bytes, complex})
PROGRAM = "__main__"
"""Where what a program makes is from."""


class Numbered(Protocol):
    """Objects of a program, numbered as they are first asked for."""

    over: bool

    def identity(self, value: Any) -> int: ...


def _object_at(address: int) -> Any:
    return ctypes.cast(ctypes.c_void_p(address), ctypes.py_object).value


def _pointer(address: int) -> ctypes.c_void_p:
    return ctypes.c_void_p.from_address(address)


def _kept(address: int) -> ctypes.c_ssize_t:
    return ctypes.c_ssize_t.from_address(address)


_BY_ADDRESS = _pointer(id(object) + _HASH_OF_CLASS).value
_OF_CLASS: dict[str, Any] = {name: vars(type)[name] for name in ("__dict__", "__module__", "__qualname__")}


class Hashes(dict[int, int]):
    """Hashes by address: found in C, where an object has been asked for its hash before.

    `numbered`: the identities of the program that runs, if one does.
    """

    def __init__(self) -> None:
        self.numbered: Numbered | None = None
        self._others: dict[str, int] = {}
        self._marks: dict[int, _Mark] = {}
        self._held: dict[int, Any] = {}
        self._many = _FEW

    def __missing__(self, address: int) -> int:
        value = _object_at(address)
        if made_by_program(value):
            found = self.number(value)
        else:
            name = named(value)
            found = self._next(type(value)) if name is None else _hash_of(name)
        try:
            self._marks[address] = _Mark(value, address)
        except TypeError:
            if len(self._held) >= self._many:
                self._let_go()
            self._held[address] = value  # so that nothing else gets its address
        self[address] = found
        return found

    def forget(self, address: int) -> None:
        self.pop(address, None)
        self._marks.pop(address, None)

    def _let_go(self) -> None:
        """Forget what is held here and nowhere else; as seldom as keeps the cost in proportion."""
        gone = [address for address, count in _references(self._held).items() if count <= _ALONE]
        self._many = max(_FEW, 2 * (len(self._held) - len(gone)))
        for address in gone:
            del self[address]
        for address in gone:
            del self._held[address]  # last, since its class may say that something is to be done

    def begin(self, numbered: Numbered | None) -> None:
        """A program begins, or has ended: what it asks for first depends on nothing that was asked for before."""
        self.numbered = numbered
        self._others.clear()
        if numbered is None:
            self._let_go()

    def number(self, value: Any) -> int:
        """Of something that the program has made."""
        if self.numbered is None or self.numbered.over:
            return self._next(type(value))
        return self.numbered.identity(value) >> 4

    def _next(self, kind: type) -> int:
        """One after the other, for each class."""
        name = _name_of_class(kind)
        count = self._others[name] = self._others.get(name, 0) + 1
        return _hash_of(name) + count


def _references(held: dict[int, Any]) -> dict[int, int]:
    """How many references there are to each value, as seen from here."""
    return {address: getrefcount(value) for address, value in held.items()}


class _Mark(weakref.ref[Any]):
    """Has the hash of an object forgotten that has gone, so that another one at its address gets one of its own."""

    __slots__ = ("address",)
    address: int

    def __new__(cls, value: Any, address: int) -> _Mark:
        made = super().__new__(cls, value, _gone)
        made.address = address
        return made

    def __init__(self, value: Any, address: int) -> None:
        pass


_ALONE = _references({0: object()})[0]
_hashes = Hashes()
_NAMES = {"torch": ("name",)}
"""What says how objects are called that cannot be called, for the module of their class: dtypes, layouts."""


def _gone(mark: _Mark, forget: Callable[[int], None] = _hashes.forget) -> None:
    forget(mark.address)


def _hash_of(name: str) -> int:
    return crc32(name.encode("utf-8", "replace"))


def _name_of_class(kind: type) -> str:
    return f"{_OF_CLASS['__module__'].__get__(kind)}.{_OF_CLASS['__qualname__'].__get__(kind)}"


def made_by_program(value: Any) -> bool:
    """Whether this is a class or a function of a program, or an object of a class of it."""
    kind = type(value)
    if issubclass(kind, type) and _OF_CLASS["__module__"].__get__(value) == PROGRAM:
        return True
    if kind is FunctionType and value.__module__ == PROGRAM:
        return True
    return bool(_OF_CLASS["__module__"].__get__(kind) == PROGRAM)


def named(value: Any) -> str | None:
    """What an object of a library or of Python is called, with where it is from; None where it is called nothing."""
    kind = type(value)
    if issubclass(kind, type):
        return f"class {_name_of_class(value)}"
    if issubclass(kind, ModuleType):
        found = ModuleType.__getattribute__(value, "__dict__").get("__name__")
        return f"module {found}" if isinstance(found, str) else None
    names = ("__qualname__", "__name__") if callable(value) else _NAMES.get(_OF_CLASS["__module__"].__get__(kind), ())
    for name in names:
        found = _member(value, name)
        if isinstance(found, str):
            return f"{kind.__name__} {_module(value)}.{found}"
    return None


def _member(value: Any, name: str) -> Any:
    try:
        return object.__getattribute__(value, name)
    except Exception:  # of a property, which may raise anything
        return None


def _module(value: Any) -> str:
    """Where a function comes from; the class of a method of C."""
    for name in ("__objclass__", "__module__"):
        found = _member(value, name)
        if isinstance(found, str):
            return found
        if isinstance(found, type):
            return _name_of_class(found)
    return ""


def _of_built_in(function: BuiltinFunctionType | MethodWrapperType) -> int:
    """As Python's: of the object and the function."""
    owner: Any = function.__self__
    return crc32(function.__name__.encode()) ^ (0 if owner is None else _hashes[id(owner)])


def _of_method(method: MethodType) -> int:
    made = _hashes[id(method.__self__)] ^ hash(method.__func__)
    return -2 if made == -1 else made


def _of_float(value: float) -> int:
    """As Python's, but for NaN."""
    return _float(value) if value == value else _hashes[id(value)]


def _of_complex(value: complex) -> int:
    return _complex(value) if value == value else _hashes[id(value)]


_ASKED: tuple[tuple[type, Callable[[Any], int]], ...] = (
    (BuiltinFunctionType, _of_built_in),
    (MethodWrapperType, _of_built_in),
    (MethodType, _of_method),
    (float, _of_float),
    (complex, _of_complex),
)
"""Classes whose objects have hashes that are made of others', and how they are made."""


def _hash_of_class(kind: type) -> ctypes.c_void_p:
    return _pointer(id(kind) + _HASH_OF_CLASS)


_float, _complex = [_OF_OBJECT(_hash_of_class(kind).value or 0) for kind in (float, complex)]


@cache
def _functions() -> dict[int | None, int | None]:
    """What hashes in place of each function of Python that hashes by address."""
    made: dict[int | None, Any] = {_BY_ADDRESS: _OF_NUMBER(_hashes.__getitem__)}
    made.update({_hash_of_class(kind).value: _OF_OBJECT(own) for kind, own in _ASKED})
    for function in made.values():
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(function))  # C points to it until the process has ended
    return {address: ctypes.cast(function, ctypes.c_void_p).value for address, function in made.items()}


def numbering(identities: Numbered | None) -> None:
    """What a program makes has its hashes from these identities, from now on."""
    _hashes.begin(identities)


@cache
def leave_addresses() -> None:
    """Have nothing in this process hashed by its address any more, where this Python is laid out as is known here; a
    RuntimeError where numpy is there already."""
    if "numpy" in sys.modules:
        raise RuntimeError("what numpy holds by address would not be found again: import it afterwards")
    if not _laid_out_as_known():
        return
    replaced = _functions()
    slots = [*_slots()]
    collecting, frozen = gc.isenabled(), gc.get_freeze_count()
    gc.disable()
    gc.unfreeze()  # what is frozen would not be found
    try:
        found = _Found()
        for slot in slots:
            slot.value = replaced.get(slot.value, slot.value)
        found.fill_again()
    finally:
        if frozen:
            gc.freeze()
        if collecting:
            gc.enable()


def _slots() -> Iterator[ctypes.c_void_p]:
    """Where all classes keep the functions that hash their objects, and `__hash__` the one that it calls."""
    seen: set[int] = set()
    kinds: list[type] = [object]
    while kinds:
        kind = kinds.pop()
        if id(kind) not in seen:
            seen.add(id(kind))
            kinds += type.__subclasses__(kind)
            yield _hash_of_class(kind)
            method = _OF_CLASS["__dict__"].__get__(kind).get("__hash__")
            if type(method) is WrapperDescriptorType:
                yield _pointer(id(method) + _WRAPPED)


def _laid_out_as_known() -> bool:
    """Whether Python's structs have their members where they are looked for: of some of which all is known."""
    if sys.implementation.name != "cpython" or sys.maxsize < 1 << 32:
        return False
    slot = ctypes.pythonapi.PyType_GetSlot
    slot.argtypes, slot.restype = [ctypes.py_object, ctypes.c_int], ctypes.c_void_p
    kinds = (object, float, MethodType, Hashes, _Mark)
    if any(_hash_of_class(kind).value != slot(kind, _TP_HASH) for kind in kinds):
        return False
    method = vars(object)["__hash__"]
    elements, reference = frozenset({1}), weakref.ref(_laid_out_as_known)
    hashed = [(elements, _HASH_OF_SET), (reference, _HASH_OF_WEAKREF)]
    if _TUPLES_KEEP_THEIRS:
        hashed.append((tuple([sys]), _HASH_OF_TUPLE))
    return _pointer(id(method) + _WRAPPED).value == slot(object, _TP_HASH) and all(
        hash(each) == _kept(id(each) + offset).value for each, offset in hashed
    )


class _Found:
    """What keeps hashes: collected before these change, and made anew afterwards."""

    def __init__(self) -> None:
        self.references: list[weakref.ref[Any]] = []
        self.sets: list[tuple[Any, list[Any]]] = []
        self.frozen: dict[int, tuple[Any, list[Any]]] = {}
        self.dicts: list[tuple[dict[Any, Any], list[tuple[Any, Any]]]] = []
        self.tuples: list[tuple[Any, ...]] = []
        seen: set[int] = set()
        todo = gc.get_objects()
        while todo:
            value = todo.pop()
            self._look(value)
            for inner in gc.get_referents(value):
                # Nothing in it could be part of a cycle, so it is not among all objects.
                if type(inner) in (dict, tuple, frozenset) and not gc.is_tracked(inner) and id(inner) not in seen:
                    seen.add(id(inner))
                    todo.append(inner)

    def _look(self, value: Any) -> None:
        kind = type(value)
        if issubclass(kind, dict):
            items = list(dict.items(value))
            if kind is not Hashes and self._odd([key for key, _ in items]):
                self.dicts.append((value, items))
        elif issubclass(kind, set | frozenset):
            elements = list((set if issubclass(kind, set) else frozenset).__iter__(value))
            if self._odd(elements) and issubclass(kind, set):
                self.sets.append((value, elements))
            elif self._odd(elements):
                self.frozen[id(value)] = value, elements
        elif issubclass(kind, weakref.ref):
            self.references.append(value)

    def _odd(self, keys: Iterable[Any]) -> bool:
        """Whether the hash of one of them may be made from an address."""
        odd = False
        for key in keys:
            kind = type(key)
            if kind is tuple and self._odd(key):
                self.tuples.append(key)
                odd = True
            elif kind is frozenset:
                odd |= self._odd(key)
            elif kind is not tuple:
                odd |= kind not in _PLAIN or key != key  # NaN
        return odd

    def fill_again(self) -> None:
        for reference in self.references:
            if reference() is not None:
                _kept(id(reference) + _HASH_OF_WEAKREF).value = _UNKNOWN
        for each in self.tuples if _TUPLES_KEEP_THEIRS else ():
            _kept(id(each) + _HASH_OF_TUPLE).value = _UNKNOWN
        for frozen, _ in [*self.frozen.values()]:
            self._fill_frozen(frozen)
        for loose, elements in self.sets:
            _fill(set, loose, elements)
        for mapping, items in self.dicts:
            _fill(OrderedDict if isinstance(mapping, OrderedDict) else dict, mapping, items)
            for key, value in items:
                if type(value).__name__ == "_lru_list_elem" and _pointer(id(value) + _KEY_OF_LINK).value == id(key):
                    _kept(id(value) + _HASH_OF_LINK).value = hash(key)

    def _fill_frozen(self, value: Any) -> None:
        """Those in it first, of whose hashes its own is made."""
        frozen, elements = self.frozen.pop(id(value), (None, value if type(value) is tuple else ()))
        for each in elements:
            self._fill_frozen(each)
        if frozen is not None:
            kind = _pointer(id(frozen) + _WORD)
            before, kind.value = kind.value, id(set)
            _fill(set, frozen, elements)
            kind.value = before
            _kept(id(frozen) + _HASH_OF_SET).value = _UNKNOWN


def _fill(kind: type, container: Any, content: Iterable[Any]) -> None:
    """Put in again what was there, but for references to what has gone meanwhile."""
    kind.clear(container)  # type: ignore[attr-defined]
    for each in content:
        with suppress(TypeError):
            kind.update(container, [each])  # type: ignore[attr-defined]
