# ruff: noqa: E501 - programs are easier to read on one line
"""A run leaves nothing behind, and reads only what PyTorch and Python's library have."""

from __future__ import annotations

import gc
import importlib
import random
import sys
import types
from typing import Any

import pytest

import engine
from engine.core.tensor import Tensor
from engine.errors.arguments import TORCH_NAMES
from engine.limits import Limits
from engine.program import execute, shared
from engine.program import session as sessions
from engine.program.attributes import read
from engine.program.builtins import BUILTINS, listing
from engine.program.kinds import ENGINE, engine_class_of, is_engine_class, kind_of, stands_in, visible_mro
from engine.program.run import prepare
from engine.program.stdlib import _OURS, find
from engine.program.stdlib.collections import ChainMap
from engine.program.surface import names_of
from engine.program.text import represent
from engine.program.values import Module
from engine.torch.distributions import constraints
from tests.attack import isolation
from tests.attack.report import Result
from tests.attack.trespass import HEAD, KINDS

SAMPLE = 1200


def test_hostile_programs_leave_nothing_behind() -> None:
    for program in [isolation.WARM, *(program for _, program in isolation.PROGRAMS)]:
        isolation.answer(program)
    result = Result("hostile", "")
    isolation.hostile(result, isolation.PROGRAMS, group=len(isolation.PROGRAMS))
    assert result.failures == []


def test_nothing_that_two_runs_share_accepts_a_change() -> None:
    isolation.answer(isolation.WARM)
    result = Result("crawl", "")
    isolation.crawl(result, 1, 5, 0.3, random.Random(8))
    assert result.failures == []
    isolation.calls(result, SAMPLE, random.Random(8))
    assert result.failures == []


def test_the_heap_shows_what_is_written_to() -> None:
    isolation.answer(isolation.WARM)
    heap = isolation.Heap()
    assert heap.changes() == []
    ChainMap.planted = 1  # type: ignore[attr-defined]
    constraints.positive.planted = 1
    try:
        changed = " ".join(heap.changes())
        assert "ChainMap" in changed and "positive" in changed
    finally:
        del ChainMap.planted, constraints.positive.planted  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["write to a class of Python's library", "write to a class of the engine"])
def test_a_class_that_outlives_the_run_refuses(kind: str) -> None:
    for program in KINDS[kind]:
        outcome = execute(HEAD + program, seed=0)
        allowed = ("vars(", "update_wrapper")  # a copy, and a function that changes only functions
        assert outcome.error is not None or any(word in program for word in allowed), program


@pytest.mark.parametrize("way", ["matplotlib.rcParams", "vars(matplotlib)['rcParams']", "matplotlib.__dict__['rcParams']"])
def test_what_a_module_holds_is_the_same_in_the_next_run(way: str) -> None:
    program = f"import matplotlib\nx = {way}\nprint(len(x) > 10, len(x['figure.figsize']))\nx['figure.figsize'].append(1)\nx.clear()"
    first, second = execute(program), execute(program)
    assert first.stdout == second.stdout == "True 2\n"


def test_what_a_run_sets_is_set_for_that_run() -> None:
    program = """
import torch, os, sys
before = torch.backends.cudnn.deterministic, dict(os.environ), list(sys.argv), torch.get_default_dtype()
torch.backends.cudnn.deterministic = True
os.environ['A'] = 'b'
sys.argv.append('c')
torch.set_default_dtype(torch.float64)
for _ in range(2):
    print(torch.backends.cudnn.deterministic)
    torch.backends.cudnn.deterministic = not torch.backends.cudnn.deterministic
print(before, os.environ, sys.argv, torch.ones(1).dtype)
"""
    answers = [engine.run(code=program, seed=0).document["stdout"] for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0] == (
        "True\nFalse\n(False, {}, ['program.py'], torch.float32) {'A': 'b'} ['program.py', 'c'] torch.float64\n"
    )


def test_a_container_that_outlives_the_run_is_copied_once() -> None:
    program = "import torch.distributions as D\na = D.Normal.arg_constraints\na['x'] = 1\nprint(D.Normal.arg_constraints is a, 'x' in D.Normal(0., 1.).arg_constraints)"
    for _ in range(2):
        assert execute(program, seed=0).stdout == "True True\n"
    assert execute("import torch.distributions as D\nprint(len(D.Normal.arg_constraints))", seed=0).stdout == "2\n"


@pytest.mark.parametrize("end", ["raise ValueError", "while True: pass", "torch.ones(2).backward()", "x[0].backward(x)"])
def test_a_run_that_failed_keeps_nothing_until_garbage_is_collected(end: str) -> None:
    execute(f"import torch\n{end}", limits=Limits(fuel=1000), seed=0)  # what is made on first use
    gc.collect()
    gc.disable()
    try:
        execute(f"import torch\nx = [torch.ones(3) for _ in range(50)]\n{end}", limits=Limits(fuel=1000), seed=0)
        young = gc.get_objects()  # what is older is frozen by the run, and stays so where nothing is collected
        assert len(young) > 0
        assert sum([type(held) is Tensor for held in young]) == 0
    finally:
        gc.unfreeze()
        gc.enable()


def test_objects_of_the_run_are_its_own() -> None:
    program = """
import collections, torch
class A: pass
a = A(); a.x = 1; A.y = 2; del a.x; setattr(A, 'z', lambda self: 3)
class M(torch.nn.Module):
    count = 0
    def __init__(self):
        torch.nn.Module.__init__(self)
        self._mine, self.rank, self.fc = 1, 2, torch.nn.Linear(1, 1)
        M.count += 1
m = M(); m.fc.note = 'kept'; M.extra = 5
torch.nn.Module.train(m, False)
c = collections.ChainMap({}); c['a'] = 1; c.note = 2
P = collections.namedtuple('P', 'x'); P.note = 3
print(A.y, a.z(), m._mine, m.rank, m.fc.note, M.extra, M.count, m.training, c['a'], c.note, P.note)
"""
    assert execute(program, seed=0).stdout == "2 3 1 2 kept 5 1 False 1 2 3\n"


# --- what can be read


@pytest.fixture
def run() -> Any:
    with isolation.session():
        yield


def torch_modules() -> list[Module]:
    found, todo = [], [find("torch"), find("torch.utils._pytree")]
    while todo:
        module = todo.pop()
        if module not in found:
            found.append(module)
            todo += [member for member in (module.find(name) for name in module.names()) if type(member) is Module]
    return found


def test_torch_shows_only_names_that_pytorch_has(run: Any) -> None:
    for module in torch_modules():
        if module.name in TORCH_NAMES:
            public = {n for n in module.names() if not n.startswith("_") and type(module.find(n)) is not Module}
            assert public <= TORCH_NAMES[module.name], module.name
    for path in ("torch.nn.calling", "torch.hardware", "torch.trees", "torch.optim.matrices", "torch.np"):
        module = find(path.rpartition(".")[0])
        with pytest.raises((AttributeError, NotImplementedError)):
            read(module, path.rpartition(".")[2])
        assert path.rpartition(".")[2] not in module.names()


def test_classes_of_the_engine_show_only_names_that_pytorch_has(run: Any) -> None:
    looked_at = 0
    for path, value in isolation.reachable(2, 5).items():
        kind = value if isinstance(value, type) else type(value)
        host = engine_class_of(kind)
        if host is None or kind_of(kind) != ENGINE:
            continue
        builtin = {name for base in kind.__mro__ if not is_engine_class(base) for name in dir(base)}
        if stands_in(kind):  # a class of ours that derives from PyTorch's, as one of a program would
            builtin |= (
                {name for base in kind.__mro__ for name in dir(base)}
                | set(vars(value))
                | set(getattr(value, "_modules", ()))
            )
            builtin |= {*getattr(value, "_parameters", ()), *getattr(value, "_buffers", ())}
        for name in listing(value):
            if not name.startswith("_"):
                assert name in names_of(host) | builtin, f"{path}.{name}"
        for name in dir(value):
            if not name.startswith("_") and name not in names_of(host) | builtin:
                with pytest.raises((AttributeError, NotImplementedError)):
                    read(value, name)
                looked_at += 1
    assert looked_at > 20


def test_the_context_of_a_function_lists_what_pytorch_lists() -> None:
    program = """
import torch
class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print([name for name in dir(ctx) if name in ('attributes', 'apply_graph', 'next_edges', 'op', 'saved', 'save_for_backward')])
        for name in ('attributes', 'next_edges', 'op', 'saved', '_function'):
            print(hasattr(ctx, name))
        return x.clone()
    @staticmethod
    def backward(ctx, g): return g
Same.apply(torch.ones(1, requires_grad=True))
"""
    outcome = execute(program, seed=0)
    assert outcome.stdout == "['save_for_backward']\n" + "False\n" * 5, outcome.error


PYTHONS = {name for name in _OURS if name.partition(".")[0] in sys.stdlib_module_names}
"""The others are compared with the real ones by `tests.record.absent`, where those are installed."""
LIBRARY = sorted(PYTHONS - {"typing_extensions"})
LATER = {"sumprod", "override", "StrEnum", "nextafter"}
"""Names of Python 3.12 and later."""


@pytest.mark.parametrize("name", LIBRARY)
def test_a_module_has_only_names_of_the_real_one(name: str, run: Any) -> None:
    real, module = importlib.import_module(name), find(name)
    assert {n for n in module.names() if not n.startswith("__")} - set(dir(real)) <= LATER
    for member_name in module.names():
        member = module.find(member_name)
        if isinstance(member, type) and stands_in(member):
            genuine = getattr(real, member_name)
            public = {n for n in listing(member) if not n.startswith("_")}
            annotated = set(getattr(genuine, "__annotations__", {}))
            assert public <= set(dir(genuine)) | annotated | set(dir(type(genuine))), member_name


def test_numpy_has_only_names_of_the_real_one(run: Any) -> None:
    for name in ("numpy", "numpy.random", "numpy.linalg", "numpy.fft"):
        real = importlib.import_module(name)
        gone = {"row_stack"}  # since numpy 2.5
        assert set(find(name).names()) - gone <= set(dir(real)), name


def test_methods_of_type_are_not_attributes_of_classes() -> None:
    names = [
        name for name in dir(type) if not hasattr(object, name) and name not in ("__name__", "__qualname__", "mro")
    ]
    for name in names:
        outcome = execute(f"class A: pass\nprint(getattr(A, {name!r}, None))", seed=0)
        shown = outcome.stdout
        assert shown in ("None\n", "{}\n", "__main__\n", "()\n", "(<class 'object'>,)\n", "(<class '__main__.A'>, <class 'object'>)\n"), name  # fmt: skip
    assert execute("class A: pass\nprint(A.mro(), int.__mro__)", seed=0).error is None


def test_no_class_that_programs_import_says_in_which_file_of_ours_it_is() -> None:
    for name in _OURS:
        module = find(name)
        classes = [value for value in map(module.find, module.names()) if isinstance(value, type)]
        shown = [represent(base) for cls in classes for base in visible_mro(cls)]
        assert [text for text in shown if "program." in text] == []


def test_what_was_there_before_the_run_is_shared() -> None:
    prepare()
    assert shared.is_shared(constraints.positive)
    assert not shared.is_shared([])
    assert not shared.made_here(ChainMap)
    assert not sessions.active.copies
    assert isinstance(BUILTINS["len"], object) and not isinstance(BUILTINS["len"], types.FunctionType)


# --- the smaller faults


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("import torch.nn as nn\nobject.__new__(nn.Linear)", "TypeError"),
        (
            "import torch.nn as nn\nclass A:\n    def __new__(cls, k): return super().__new__(k)\nA(nn.Linear)",
            "TypeError",
        ),
        ("import io\nobject.__new__(io.StringIO)", "TypeError"),
        ("import torch\nobject.__new__(torch.Tensor)", "TypeError"),
        ("from collections import namedtuple\nnamedtuple('X=1\\nimport os', ['a'])", "ValueError"),
        ("import torch.nn as nn\nnn.Conv2d('%500000000d', 1, 1, groups=3)", "TypeError"),
        ("import torch.nn as nn\nnn.GroupNorm(1, '%500000000d')", "TypeError"),
        ("import io\nio.StringIO('a')._text", "AttributeError"),
        ("import io\ns = io.StringIO('a')\ns._whole = 3", "AttributeError"),
        ("import torch\ntype(torch.add).__setattr__(torch.add, 'x', 1)", "AttributeError"),
    ],
)
def test_is_refused(program: str, error: str) -> None:
    outcome = execute(program, seed=0)
    assert outcome.error is not None and outcome.error.type == error


@pytest.mark.parametrize(
    ("program", "stdout"),
    [
        ("try:\n    '\\ud800'.encode()\nexcept UnicodeEncodeError as e:\n    print(e, e.start, e.reason)",
         "'utf-8' codec can't encode character '\\ud800' in position 0: surrogates not allowed 0 surrogates not allowed\n"),
        ("try:\n    b'\\xff'.decode()\nexcept UnicodeDecodeError as e:\n    print(e)",
         "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte\n"),
        ("try:\n    try: 1 / 0\n    finally: raise\nexcept ZeroDivisionError as e: print(e)", "division by zero\n"),
        ("def g():\n    try:\n        yield 1\n        1 / 0\n    finally: raise\ntry: list(g())\nexcept ZeroDivisionError as e: print(e)",
         "division by zero\n"),
        ("class C:\n    def __enter__(self): pass\n    def __exit__(self, *a): raise\ntry:\n    with C(): 1 / 0\nexcept ZeroDivisionError as e: print(e)",
         "division by zero\n"),
        ("def f():\n    try: 1 / 0\n    finally: return 3\nprint(f())\ntry: raise\nexcept RuntimeError as e: print(e)",
         "3\nNo active exception to reraise\n"),
        ("import torch\nclass Q(torch.Tensor): pass\nprint(Q([1.]), torch.Tensor.__new__(torch.Tensor))", "Q([1.]) tensor([])\n"),
    ],
)  # fmt: skip
def test_answers_as_python_does(program: str, stdout: str) -> None:
    outcome = execute(program, seed=0)
    assert outcome.stdout == stdout, outcome.error


PICKLED = """
import io, pickle
class Cache:
    def __init__(self, size): self.size, self.lock = size, 1
    def __getstate__(self):
        print("get")
        return {"size": self.size}
    def __setstate__(self, state):
        print("set", state)
        self.__dict__.update(state)
cache = Cache(3)
kept = pickle.dumps(cache)
cache.size = 4
print(vars(pickle.loads(kept)), vars(pickle.loads(kept)))
file = io.BytesIO()
pickle.dump([cache, {"same": cache}], file)
file.seek(0)
first, second = pickle.load(file)
print(first.size, first is second["same"])
"""


def test_the_state_of_a_pickled_object_is_asked_for_once_and_restored_when_it_is_loaded() -> None:
    outcome = execute(PICKLED, seed=0)
    once, other = "set {'size': 3}\n", "set {'size': 4}\n"
    assert outcome.stdout == f"get\n{once}{once}{{'size': 3}} {{'size': 3}}\nget\n{other}4 True\n", outcome.error


def test_an_enumeration_that_all_runs_share_keeps_no_members() -> None:
    outcome = execute("import enum\nenum.IntFlag(2)", seed=0)
    assert outcome.error is not None and outcome.error.message == "<flag 'IntFlag'> has no members defined"


def test_methods_of_exceptions_do_not_name_classes_of_the_engine() -> None:
    outcome = execute("e = ValueError(1)\nprint(e.with_traceback, e.add_note, e.add_note.__qualname__)")
    assert "ExceptionValue" not in outcome.stdout and "BaseException.add_note" in outcome.stdout
