"""A document is a pure function of its input, and a run leaves the process as it found it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import engine
import engine.torch as torch
from engine.program import Outcome, execute
from engine.running import run
from tests.attack.purity import hostile, replay

ROOT = Path(__file__).parents[2]


def stdout(program: str) -> str:
    return str(run(code=program, seed=0).document["stdout"])


def test_sets_without_odd_elements_keep_pythons_order() -> None:
    program = "s = {3, 'a', 2.5, (1, 'b'), 33, -1, b'x', True, frozenset({7})}\nprint(s, list(s), {*'hello'})"
    shown = {3, "a", 2.5, (1, "b"), 33, -1, b"x", True, frozenset({7})}
    assert stdout(program) == f"{shown} {list(shown)} { ({*'hello'}) }\n"


def test_odd_elements_come_in_the_order_the_program_first_showed_them() -> None:
    program = """\
def a(): pass
def b(): pass
def c(): pass
print([f.__name__ for f in {c, a} | {b}], {1, c, 0} == {0, 1, c})
"""
    assert stdout(program) == "['c', 'a', 'b'] True\n"


def test_a_set_of_odd_elements_that_changes_during_iteration_is_an_error() -> None:
    program = "s = {len, abs}\ntry:\n    for f in s: s.add(print)\nexcept RuntimeError as e: print(e)"
    assert stdout(program) == "Set changed size during iteration\n"


def test_addresses_of_memory_are_apart_by_their_offset_and_equal_for_aliases() -> None:
    program = """\
import torch
x, y = torch.zeros(6), torch.zeros(6)
print(x[2:].data_ptr() - x.data_ptr(), x.view(2, 3).t().data_ptr() == x.data_ptr())
print(x.detach().data_ptr() == x.data_ptr())
print(x.data_ptr() != y.data_ptr(), x.untyped_storage().data_ptr() == x.data_ptr(), x[6:].data_ptr())
"""
    assert stdout(program) == "8 True\nTrue\nTrue True 0\n"


def test_a_node_has_one_address_however_it_is_shown_and_none_is_printed() -> None:
    code = """
import torch
x = torch.ones(2, requires_grad=True)
y = x * 2
z = y + y
node, other = y.grad_fn, z.grad_fn
where = hex(id(node)) + ">"
print([where in text for text in (repr(node), str(node), f"{node}", "%s" % node, repr([node]), "{}".format(node))])
print(where in repr(other), repr(other.next_functions).count(where))
print(where in repr(torch.autograd.graph.get_gradient_edge(y)).replace(",", ">"))
print(node, other, [node], lambda: 1, y.register_hook(print), object())
"""
    outcome = execute(code, seed=0)
    *known, printed = outcome.stdout.splitlines()
    assert known == [str([True] * 6), "False 2", "True"]
    assert re.findall("0x[0-9a-zA-Z]+", printed) == ["0xADDR"] * 6
    assert execute(code, seed=0).stdout == outcome.stdout


def test_the_memo_of_a_copy_is_keyed_by_what_id_gives() -> None:
    program = """\
import copy
class N:
    def __deepcopy__(self, memo):
        print(id(self) in memo, len(memo))
        memo[id(self)] = made = N()
        made.me = copy.deepcopy(self.me, memo)
        return made
n = N()
n.me = n
made = copy.deepcopy(n)
print(made.me is made)
"""
    assert stdout(program) == "False 0\nTrue\n"


def test_an_identity_is_not_given_again() -> None:
    assert stdout("print(len({id(object()) for _ in range(100)}))") == "100\n"


def test_formulas_do_not_depend_on_the_numbers_of_an_earlier_run() -> None:
    program = "import torch\nx = torch.ones(2, requires_grad=True)\ny = x.pow({0}) + x * {0}"
    fresh = "import engine, sys\nprint(engine.run(code=sys.argv[1], seed=0).document['nodes'])"
    for number in ("2", "2.0"):
        run(code=program.format("2.0" if number == "2" else "2"), seed=0)
        command = [sys.executable, "-c", fresh, program.format(number)]
        there = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
        assert str(run(code=program.format(number), seed=0).document["nodes"]) == there.strip()


def test_the_command_line_brings_its_own_hash_seed(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("print({*'the quick brown fox'.split()}, hash('x'))", encoding="utf-8")
    command = [sys.executable, "-m", "engine", str(path)]
    texts = {
        subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2", "random")
    }
    assert len(texts) == 1


def test_nothing_is_hashed_by_its_address() -> None:
    """Each process has addresses of its own; one of them does what a fork server does before its programs."""
    name, code = next(each for each in hostile() if "object.__hash__(int)" in each[1])
    asked = [sys.executable, "-m", "engine", "-"]
    apart = [
        subprocess.run(
            asked,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
            input=code,
            env={"PADDING": padding},
        ).stdout
        for padding in ("", "x" * 9000)
    ]
    served = json.JSONDecoder().raw_decode(replay([(name, code)], 1, [name])[1][name])[0]["stdout"]
    assert apart[0].count("\n") == 23
    assert apart == [served, served]


def printed(*script: str) -> str:
    """By a process of its own, which says nothing of errors."""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(script)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=100
    )
    assert done.stderr == ""
    return done.stdout


def test_what_lay_by_its_address_is_found_by_its_hash() -> None:
    """Sets and dicts of many kinds that are there before, at any depth, and caches that are full."""
    assert printed(BEFORE) == "True\n"


def test_what_cannot_be_told_of_its_end_is_let_go() -> None:
    """Objects without weak references, of which many thousands were hashed, and those of a program that has ended."""
    assert printed(HELD) == "True True True\n"


HELD = """\
from engine import hashes
hashes.leave_addresses()
class Slotted:
    __slots__ = ("number",)
    ended = 0
    def __del__(self): Slotted.ended += 1
kept = [Slotted() for _ in range(3000)]
known = set(kept)
for _ in range(20000): hash(Slotted())
few = len(hashes._hashes._held) < 10000 and Slotted.ended > 13000
found = all(each in known for each in kept) and len(known | set(kept)) == 3000
del kept, known
hashes.numbering(None)
print(few, found, Slotted.ended == 23000 and len(hashes._hashes._held) < 1000)
"""


def test_where_python_is_laid_out_otherwise_nothing_is_changed() -> None:
    script = "from engine import hashes\nhashes._HASH_OF_CLASS += 8\nhashes.leave_addresses()\n"
    assert printed(script, "class A: pass\na = A()\nprint(hash(a) == object.__hash__(a) == id(a) >> 4)") == "True\n"


BEFORE = """\
import abc, collections, functools, gc, sys, weakref
class Plain: pass
class Sized(abc.ABC): pass
Sized.register(Plain)
def function(): pass
plain, apart = Plain(), object()
keys = [int, Plain, len, function, [].append, plain.__init__, plain, apart, (int, (len, apart)), sys, None]
keys += [float("nan"), frozenset({int, frozenset({apart})}), weakref.ref(plain), str.upper, abc.ABCMeta]
assert keys[11] != keys[11]
held = [set(keys), frozenset(keys), dict.fromkeys(keys, 1), collections.OrderedDict.fromkeys(keys)]
held += [collections.Counter(keys), {keys[3]}, {nan: 1 for nan in keys if nan != nan}]
class Holder: pass
holder = Holder()
holder.inside = ({int: ({str: 1},)},)
cache = functools.lru_cache(4)(lambda kind: kind)
for each in (int, Plain, len, apart): cache(each)
known = weakref.WeakKeyDictionary({Plain: 1, function: 2})
both = weakref.WeakSet([Plain, plain])
orders = [list(each) for each in held[2:5]]
assert isinstance(plain, Sized) and not isinstance(apart, Sized)
gc.freeze()
from engine.hashes import leave_addresses
before = hash(int), hash(len), hash(apart), hash(Plain)
leave_addresses()
assert not set(before) & {hash(int), hash(len), hash(apart), hash(Plain)}
assert gc.get_freeze_count() and gc.isenabled()
found = [each in one for one in held[:5] for each in keys] + [keys[3] in held[5], keys[11] in held[6]]
found += [len(one) == len(keys) and set(one) == set(keys) and set(keys) == set(one) for one in held[:5]]
found += [list(each) == order for each, order in zip(held[2:5], orders)]
found += [holder.inside[0][int][0][str] == 1, known[Plain] == 1, known[function] == 2, Plain in both, plain in both]
found += [isinstance(plain, Sized), not isinstance(apart, Sized), hash(held[1]) == hash(frozenset(keys))]
for each in (int, Plain, len, apart): cache(each)
found += [cache.cache_info()[:2] == (4, 4)]
for each in range(5): cache(each)
found += [cache.cache_info()[3] == 4, cache(int) is int, cache.cache_info()[:2] == (4, 10)]
gone = Plain()
address = id(gone)
from engine import hashes
hash(gone)
there = address in hashes._hashes
del gone
found += [there, address not in hashes._hashes]
print(all(found) or found)
"""


def test_ops_are_catalogued_before_torch_is_imported() -> None:
    script = "import engine\nprint(len(engine.ops_catalogue()))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert int(done.stdout) == len(engine.ops_catalogue()) > 500


def test_a_second_run_at_the_same_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []

    def another() -> None:
        try:
            run(code="1", seed=0)
        except RuntimeError as error:
            refused.append(str(error))

    def during(*args: Any, **options: Any) -> Outcome:
        thread = threading.Thread(target=another)
        thread.start()
        thread.join(60)
        return execute(*args, **options)

    with monkeypatch.context() as patch:
        patch.setattr("engine.running.execute", during)
        run(code="1", seed=0)
    assert refused == ["engine.run is running in this process: it runs one program at a time"]
    assert run(code="print(1)", seed=0).document["stdout"] == "1\n"


def test_a_run_leaves_the_settings_of_its_caller_alone() -> None:
    program = """\
import torch
torch.set_default_dtype(torch.float16)
torch.manual_seed(9)
torch.set_printoptions(precision=1)
torch.set_grad_enabled(True)
print(torch.ones(1).dtype, torch.rand(1).dtype)
"""
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    torch.set_grad_enabled(False)
    torch.set_printoptions(precision=2)
    try:
        assert stdout(program) == "torch.float16 torch.float16\n"
        assert torch.get_default_dtype() is torch.float64
        assert not torch.is_grad_enabled()
        assert str(torch.ones(1) / 3) == "tensor([0.33])"
        assert (torch.rand(3) == expected).all()
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
        torch.set_printoptions(profile="default")
