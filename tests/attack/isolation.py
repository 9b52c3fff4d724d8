"""No run can leave anything behind for the next: whatever outlives a run is found, attacked and compared.

Three attacks in one process. Hostile programs (`hostile.py`) try by kind what a program might try. A crawl walks over
all that a program can reach in two runs, and tries every way of writing on what is the same object in both. Methods
and functions are called with what is shared as their arguments. After each, the engine's own heap must be what it was.
"""

from __future__ import annotations

import itertools
import random
import sys
import types
import zlib
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import engine
from engine import running
from engine.codegen.deferred import compile_all
from engine.core.state import State, sequence, state
from engine.kernels.random import Generator as Generator_
from engine.limits import LimitExceeded, Limits, Meter, meter
from engine.program import session as sessions
from engine.program.attributes import erase, read, write
from engine.program.builtins import BUILTINS, ITERATORS, listing
from engine.program.calls import call
from engine.program.generators import Generator
from engine.program.items import assign_item, delete_item
from engine.program.run import prepare
from engine.program.session import Session
from engine.program.stdlib import _OURS, find
from engine.program.values import Module, Silent
from engine.settings import aside
from tests.attack.report import Result, timed
from tests.attack.trespass import HEAD, PROGRAMS

LIMITS = Limits(fuel=20_000)
WARM = "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x).sum().backward()\nprint(x.grad)"


# --- the engine's heap

OWN_STATE = (State, Meter, Session, type(sequence), Generator_)
"""What is made anew, or set, when a run begins."""
CACHES = frozenset(
    f"engine.{name}"
    for name in (
        "program.session:active program.session:_idle limits:meter state:state state:sequence"
        " program.values:_unbound program.kinds:_HIDDEN program.kinds:_RESERVED program.surface:_known"
        " program.exceptions:VALUE program.exceptions:HOST program.exceptions:_CARRIERS program.bridge:_modules"
        " program.bridge:_paths program.shared:_objects program.shared:_kinds program.stdlib:_made"
        " hooks:_ids random:_entropy settings:_OF_PROGRAMS"
    ).split()
)
"""Names of modules with what the engine remembers of itself, or arms anew for every run."""


class Heap:
    """What everything of the engine holds now. `changes` says what holds something else later."""

    def __init__(self) -> None:
        self.held: dict[int, tuple[str, Any, list[tuple[Any, Any]]]] = {}
        todo: deque[tuple[str, Any]] = deque()
        for name, module in sorted(sys.modules.items()):
            if name.partition(".")[0] == "engine" and module is not None:
                todo.append((name, module))
        while todo:
            path, value = todo.popleft()
            if id(value) in self.held or path.count("/") > 40:
                continue
            parts = contents(value)
            if parts is None:
                continue
            self.held[id(value)] = path, value, parts
            for key, part in parts:
                place = f"{path}:{key}" if isinstance(value, types.ModuleType) else f"{path}/{key}"
                if place not in CACHES:
                    todo.append((place[:300], part))

    def changes(self) -> list[str]:
        """Paths of what was written to since."""
        found = []
        for path, value, before in self.held.values():
            after = contents(value) or []
            if len(after) == len(before) and all(
                a is b or type(a) in (str, int) and a == b for (a, _), (b, _) in zip(after, before, strict=True)
            ):
                differ = [key for (key, a), (_, b) in zip(after, before, strict=True) if a is not b and not same(a, b)]
            else:
                differ = [key for key, _ in after if key not in dict(before)] or ["its keys"]
            differ = [key for key in differ if f"{path}:{key}" not in CACHES and key not in ("active", "_entropy")]
            if differ:
                found.append(f"{path}: {differ[:3]}")
        return found


def same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and type(a) in (int, str, float, tuple) and a == b


def contents(value: Any) -> list[tuple[Any, Any]] | None:
    """The parts of an object of the engine; None for what cannot change or is not the engine's."""
    kind = type(value)
    if isinstance(value, OWN_STATE):
        return None
    if kind in (dict, OrderedDict, defaultdict):
        return list(value.items())
    if kind in (list, deque):
        return list(enumerate(value))
    if kind is tuple:
        return list(enumerate(value))
    if kind is set:
        return [(index, item) for index, item in enumerate(sorted(value, key=id))]
    if kind is np.ndarray:
        return [("bytes", zlib.crc32(np.ascontiguousarray(value).tobytes()))] if value.dtype != object else None
    if isinstance(value, types.ModuleType):
        if value.__name__.partition(".")[0] not in ("engine", "torch"):
            return None
        registry = "__warningregistry__"  # which shows nothing: the engine's warnings go to the run
        return [item for item in vars(value).items() if item[0] != registry]
    if isinstance(value, types.FunctionType):
        if not str(value.__module__).startswith(("engine", "torch")):
            return None
        cells = [cell_contents(cell) for cell in value.__closure__ or ()]
        return [("code", value.__code__), ("dict", value.__dict__), ("defaults", value.__defaults__),
                ("kwdefaults", value.__kwdefaults__), *enumerate(cells)]  # fmt: skip
    if isinstance(value, staticmethod | classmethod):
        return [("function", value.__func__)]
    if isinstance(value, property):
        return [("get", value.fget), ("set", value.fset)]
    if isinstance(value, type):
        home = str(value.__module__)
        ours = any("__program__" in vars(base) for base in value.__mro__)
        if ours or home.startswith(("engine", "torch", "builtins")):
            parts = dict(vars(value))
            if not parts.get("__annotations__", True):  # empty: Python makes that when anything asks
                del parts["__annotations__"]
            parts.pop("__slotnames__", None)  # Python's own note, made when anything of the class is copied
            return [(name, part) for name, part in parts.items() if not name.startswith("_abc_")]
        return None
    if str(kind.__module__).startswith(("engine", "torch")) or "__program__" in vars(kind):
        return [*getattr(value, "__dict__", {}).items(), *slots(value)]
    return None


def cell_contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def slots(value: Any) -> Iterator[tuple[str, Any]]:
    for base in type(value).__mro__:
        for name, member in vars(base).items():
            if isinstance(member, types.MemberDescriptorType):
                try:
                    yield name, member.__get__(value)
                except AttributeError:
                    pass


# --- hostile programs


def hostile(result: Result, programs: list[tuple[str, str]], group: int = 40) -> None:
    """Run programs; afterwards the heap is what it was, and an honest program answers as before."""
    honest = answer(WARM)
    heap = Heap()
    for start in range(0, len(programs), group):
        tried = programs[start : start + group]
        for _ in tried:
            result.expect(True, "")
        for _, program in tried:
            answer(program)
        changes = heap.changes()
        if not changes:
            continue
        if len(tried) > 1:
            hostile(result, tried, max(1, group // 6))
        else:
            result.expect(False, f"{tried[0][0]}: {tried[0][1].removeprefix(HEAD)!r} left {changes[:3]}")
        heap = Heap()
    result.expect(answer(WARM) == honest, "an honest program answers otherwise")


def answer(program: str) -> Any:
    document = engine.run(code=program, seed=0, limits=LIMITS).document
    return document["stdout"], document["error"]


# --- the crawl


@contextmanager
def session() -> Iterator[None]:
    """A run with nothing in it yet."""
    prepare()
    with aside():
        running._fresh(0)
        active = sessions.begin(LIMITS, None, 0)
        try:
            yield
        finally:
            sessions.end(active)


READ_TOO = (
    "__class__ __dict__ __init__ __new__ __call__ __setattr__ __getattr__ __mro__ __bases__ __name__ __qualname__"
    " __doc__ __module__ __getitem__ __setitem__ __wrapped__ __annotations__ __members__ mro _parameters"
    " _modules _buffers _backward_hooks _forward_hooks _fields _field_defaults _version"
).split()
ARGUMENTS: tuple[tuple[Any, ...], ...] = ((), (2,), (2, 3), ("x",), ([1.0, 2.0],), (0.5, 1.0))


def reachable(depth: int, width: int) -> dict[str, Any]:
    """Everything that a program can read, make by calling a class, or get by calling a method, by path."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    todo = deque([(name, value, 0) for name, value in BUILTINS.items()])
    todo += [(name, find(name), 0) for name in (*_OURS, "torch", "torch.utils._pytree", "matplotlib")]
    while todo:
        path, value, level = todo.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        found[path] = value
        if level >= depth or isinstance(value, Silent):
            continue
        if isinstance(value, list | tuple):
            todo += [(f"{path}[{i}]", item, level + 1) for i, item in enumerate(value[:width])]
        elif isinstance(value, dict):
            todo += [(f"{path}[{key!r}]", item, level + 1) for key, item in list(value.items())[:width]]
        for name in {*attempt(listing, value, otherwise=()), *READ_TOO}:
            member = attempt(read, value, name, otherwise=found)
            if member is not found:
                todo.append((f"{path}.{name}", member, level + 1))
        if isinstance(value, type) and value.__name__ not in ("breakpoint",):
            for arguments in ARGUMENTS:
                made = attempt(call, value, arguments, None, otherwise=found)
                if made is not found:
                    todo.append((f"{path}{arguments}", made, level + 1))
                    break
        elif isinstance(value, types.MethodType | types.FunctionType) and level + 1 < depth:
            made = attempt(call, value, (), None, otherwise=found)
            if made is not found:
                todo.append((f"{path}()", made, level + 1))
    return found


def attempt(action: Callable[..., Any], *arguments: Any, otherwise: Any = None) -> Any:
    """What an action gives, unless it raises; with as much fuel as any other."""
    meter.budget[0] = LIMITS.fuel
    try:
        return action(*arguments)
    except (Exception, LimitExceeded, SystemExit):
        return otherwise


MUTATORS: dict[str, tuple[Any, ...]] = {
    "append": ("planted",), "extend": (["planted"],), "insert": (0, "planted"), "add": ("planted",),
    "update": ({"planted": 1},), "setdefault": ("planted", 1), "pop": (), "popitem": (), "clear": (), "remove": (),
    "discard": ("planted",), "sort": (), "reverse": (), "rotate": (1,), "register": (float, len),
    "register_buffer": ("planted", None), "register_parameter": ("planted", None), "add_module": ("planted", None),
    "__init__": (), "__setitem__": (0, "planted"), "__delitem__": (0,), "__iadd__": (["planted"],),
    "__ior__": ({"planted": 1},), "__setattr__": ("planted", 1), "__delattr__": ("training",), "zero_": (),
    "fill_": (7,),
    "add_": (7,), "copy_": (7,), "requires_grad_": (), "train": (), "eval": (), "manual_seed": (7,), "resize_": (3,),
    "set_default_validate_args": (False,), "__set_name__": (int, "planted"), "__setstate__": ({"planted": 1},),
    "load_state_dict": ({},), "seed": (7,), "write": ("planted",), "close": (), "move_to_end": ("planted",),
}  # fmt: skip


def call_method(value: Any, name: str, arguments: tuple[Any, ...]) -> None:
    call(read(value, name), arguments, None)


def call_of_class(value: Any, name: str, arguments: tuple[Any, ...]) -> None:
    call(read(read(value, "__class__"), name), (value, *arguments), None)


def call_of_module(module: str, name: str, arguments: tuple[Any, ...]) -> None:
    call(find(module).find(name), arguments, None)


def first_items(value: Any) -> list[Any]:
    return list(itertools.islice(iter(value), 3))


def try_to_change(value: Any) -> None:
    """Every way of writing that the language has, on one value."""
    public = [name for name in attempt(listing, value, otherwise=()) if not name.startswith("__")]
    for name in ("planted", *public[:40]):
        attempt(write, value, name, "planted")
        attempt(erase, value, name)
        attempt(call, read(object, "__setattr__"), (value, name, "planted"), None)
        attempt(call, read(object, "__delattr__"), (value, name), None)
        attempt(assign_item, attempt(read, value, "__dict__"), name, "planted")
    for key in (0, "planted", slice(None), *attempt(first_items, value, otherwise=())):
        attempt(assign_item, value, key, "planted")
        attempt(delete_item, value, key)
    for name, arguments in MUTATORS.items():
        attempt(call_method, value, name, arguments)
        attempt(call_of_class, value, name, arguments)
    attempt(call_of_module, "dataclasses", "dataclass", (value,))
    attempt(call_of_module, "enum", "unique", (value,))
    attempt(call_of_module, "functools", "total_ordering", (value,))
    attempt(call_of_module, "functools", "update_wrapper", (value, len))


def crawl(result: Result, depth: int, width: int, share: float, chance: random.Random) -> None:
    """What is the same object in two runs takes no change, and a third run sees what the first saw."""
    with session():
        first = reachable(depth, width)
        before = {path: visible(value) for path, value in first.items()}
    with session():
        second = reachable(depth, width)
    present = {id(value) for value in second.values()}
    both = {path: value for path, value in first.items() if id(value) in present and type(value) not in PLAIN}
    chosen = [item for item in both.items() if chance.random() < share]
    heap = Heap()
    for start in range(0, len(chosen), BATCH):
        batch = chosen[start : start + BATCH]
        with session():
            for _, value in batch:
                try_to_change(value)
        changes = heap.changes()
        for path, _ in batch:
            result.expect(True, path)
        if changes:
            result.expect(False, f"one of {batch[0][0]} … {batch[-1][0]} accepts a change: {changes[:4]}")
            heap = Heap()
    with session():
        after = {path: visible(value) for path, value in reachable(depth, width).items()}
    for path in sorted(before.keys() | after.keys()):
        result.expect(
            before.get(path) == after.get(path), f"{path} was {before.get(path)} and is now {after.get(path)}"
        )
    result.figures["reachable"] = float(len(first))
    result.figures["in both runs"] = float(len(both))


BATCH = 50
PLAIN = (int, float, str, bool, complex, bytes, type(None), type(...), type(NotImplemented))


def visible(value: Any) -> Any:
    """What a program can tell of a value without following it."""
    if type(value) in PLAIN:
        return repr(value)
    if isinstance(value, Generator | types.GeneratorType) or type(value) in ITERATORS:
        return type(value).__name__
    names = value.names() if isinstance(value, Module) else attempt(listing, value, otherwise=())
    size = attempt(len, value) if isinstance(value, list | dict | set | tuple) else None
    return type(value).__name__, tuple(sorted(map(str, names))), size


# --- calls with what is shared as their arguments


def calls(result: Result, count: int, chance: random.Random) -> None:
    """Functions and methods of the engine, given shared classes and objects, change none of them."""
    with session():
        found = reachable(2, 20)
        targets = [
            (path, value)
            for path, value in found.items()
            if callable(value) and not isinstance(value, Silent) and path.rpartition(".")[2] not in ("exit", "quit")
        ]
        torch = find("torch")
        victims = [find("torch.nn").find("Linear"), find("collections").find("ChainMap"), BUILTINS["ValueError"],
                   find("torch.distributions.constraints").find("positive"), find("torch.autograd").find("Function"),
                   find("io").find("StringIO"), find("enum").find("Enum"), BUILTINS["len"], BUILTINS["int"],
                   *map(torch.find, ("float32", "default_generator", "Tensor", "nn", "add"))]  # fmt: skip
    heap = Heap()
    fillers = [1, "planted", [1.0], {"planted": 1}, True, None, ("planted", 1)]
    for start in range(0, count, CALLS):
        tried = []
        with session():
            for _ in range(min(CALLS, count - start)):
                path, target = chance.choice(targets)
                chosen = (victims if chance.random() < 0.6 else fillers for _ in range(chance.randint(1, 4)))
                arguments = tuple(map(chance.choice, chosen))
                tried.append(f"{path}{tuple(getattr(a, '__name__', a) for a in arguments)}")
                attempt(call, target, arguments, None)
        changes = heap.changes()
        for _ in tried:
            result.expect(True, "")
        if changes:
            result.expect(False, f"one of {tried} left {changes[:4]}")
            heap = Heap()


CALLS = 200


def attack(size: float) -> Result:
    """All three, `size` 1.0 being everything."""
    result = Result("isolation", "a run leaves nothing behind for the next")
    chance = random.Random(8)
    compile_all()  # as a process does before it forks
    with timed(result):
        for program in (WARM, *(program for _, program in PROGRAMS)):  # what is made on first use is made now
            answer(program)
        count = max(20, int(len(PROGRAMS) * min(1.0, size * 4)))
        hostile(result, PROGRAMS if count >= len(PROGRAMS) else chance.sample(PROGRAMS, count))
        crawl(result, 2 if size < 0.5 else 3, 10, min(1.0, size * 4), chance)
        calls(result, int(40_000 * size), chance)
    state.reset()
    return result
