"""Mutated programs: whatever a text says, a document comes back, and its errors speak PyTorch's language or ours.

Real programs (the snippets, the examples and the tables of statements) are changed at
random: odd arguments, other names, statements that vanish or move, bytes that flip. Each is run in this process and
its document judged:

    raised       `engine.run` raised instead of answering
    document     the document cannot be encoded, or breaks a rule of `tests.snippets.invariants`
    place        the error's line is not one of the program's
    stalled      it took more than `SECONDS` of processor time
    internals    an error names something that only the engine has
    died         the process that ran it ended

and counted, for those are no failures:

    python       an error in Python's words out of code that is written in Python in PyTorch, too
    unworded     an error in our general words, because nobody has given it PyTorch's yet
    memory       an error that depends on the machine

    python -m tests.attack.mutation --count 10000 --seed 7

prints what was found, grouped by place. A program is a function of seed and number alone.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import resource
import signal
import string
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import engine
from app.workers.encoding import encode
from engine.limits import Limits
from tests.attack.report import Result, timed
from tests.snippets.invariants import violations

PROGRAMS = 50_000
"""How many programs an attack of size 1.0 tries."""
SECONDS = 2.0
BATCH = 250
MEMORY = 4 << 30
LIMITS = Limits(fuel=20_000, tensor_elements=100_000, total_bytes=16_000_000, ops=300, events=2_000, inline_values=16)
ROOT = Path(__file__).parent.parent.parent
LONGEST_SEED = 1_400
FAILURES = ("raised", "document", "place", "stalled", "internals", "died")

# --- programs to start from


@dataclass
class Seed:
    """A program, and where its expressions and statements stand in the text."""

    text: str
    nodes: list[tuple[ast.AST, int, int]]
    names: list[str]


@cache
def seeds() -> tuple[Seed, ...]:
    """Every program of the tests that is short, and the beginnings of those that are not."""
    return tuple(seed for text in texts() if (seed := _seed(text)) is not None)


def texts() -> Iterator[str]:
    """The programs, in an order that does not depend on the machine."""
    for folder in ("tests/snippets/*", "app/examples/programs"):
        for path in sorted(ROOT.glob(f"{folder}/*.py")):
            if path.name != "__init__.py":
                yield path.read_text()
    for path in sorted((ROOT / "tests/engine/data/statements").glob("*.txt")):
        yield from _statements(path.read_text())


SCOPE = {
    "x": "torch.arange(12.0).reshape(3, 4)",
    "y": "torch.arange(60.0).reshape(3, 4, 5)",
    "v": "torch.arange(3.0)",
    "z": "torch.tensor(1.0)",
    "e": "torch.zeros(0)",
    "i": "torch.tensor([3, 1, 2, 1])",
    "b": "torch.tensor([True, False, True])",
    "p": "torch.ones(2, 3, requires_grad=True)",
    "w": "torch.ones(3, 4, requires_grad=True) * 1",
    "S": "torch.func",
    "A": "torch.autograd.functional",
    "u": "torch.tensor([1.0, 2.0, 3.0])",
    "one": "torch.ones(3)",
    "q": "torch.ones(3, requires_grad=True)",
    "M": "torch.arange(6.0).reshape(2, 3) / 3",
    "s0": "torch.tensor(2.0)",
    "s": "torch.tensor(1.5, dtype=torch.float64, requires_grad=True)",
    "X": "torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)",
    "Z": "torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)",
}
"""What the statements of the tables may use; see `tests.engine.statements.scope`."""


def _statements(table: str) -> Iterator[str]:
    for entry in re.findall(r"^>>> (.*(?:\n\.\.\. .*)*)", table, re.MULTILINE):
        code = entry.replace("\n... ", "\n")
        used = [f"{name} = {value}" for name, value in SCOPE.items() if re.search(rf"\b{name}\b", code)]
        yield "\n".join([*used, code, ""])


PRELUDE = "import torch, numpy as np, torch.nn as nn, torch.nn.functional as F\n"


def _seed(text: str) -> Seed | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    lines = text.split("\n")
    while len(text) > LONGEST_SEED and len(tree.body) > 1:
        end = tree.body.pop().lineno - 1
        lines = lines[:end]
        text = "\n".join(lines) + "\n"
    if len(text) > LONGEST_SEED:
        return None
    if "__future__" not in text:
        text = PRELUDE + text
    return _located(text)


def _located(text: str) -> Seed | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line.encode()) + 1)
    if starts[-1] != len(text) + 1:  # offsets are in bytes: only plain text is changed by its tree
        return Seed(text, [], [])
    nodes = []
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.stmt | ast.keyword) and node.end_lineno is not None:
            start = starts[node.lineno - 1] + node.col_offset
            nodes.append((node, start, starts[node.end_lineno - 1] + (node.end_col_offset or 0)))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return Seed(text, nodes, sorted(names))


# --- what they are changed into

NUMBERS = (
    "0 1 -1 2 3 -3 7 100 65536 2**31 2**63 -2**63 2**64 10**30 0.0 -0.0 0.5 1.5 -1.5 1e-30 1e30 1e400 float('nan')"
    " float('inf') -float('inf') 1j (1+2j) True False"
).split()
VALUES = (
    *NUMBERS,
    *"None ... NotImplemented 'a' '' 'sum' 'mean' 'none' 'é\\ud800' b'x' [] () {} set() [1] [1.0,2.0]".split(),
    *"[[1,2],[3]]".split(),
    *"(2,3) (-1,) (0,) [None] ['a'] [[]] [(1,)] {'a':1} {0:[1]} {1,2} range(3) slice(1,None,2) object() object".split(),
    *"int float str list tuple dict type print len iter([1,2]) Exception ValueError('v') (lambda:0) torch nn".split(),
    *"F np".split(),
    *"(lambda*a,**k:None) (lambda*a:a) (lambda*a:[a]) (lambda\\tx:x) (lambda*a:'s') (lambda*a:torch.ones(2))".split(),
    *"torch.tensor(1.) torch.tensor(2) torch.tensor([]) torch.tensor([1.,2.]) torch.ones(2,3) torch.ones(3)".split(),
    *"torch.ones(2,3,requires_grad=True) torch.zeros(0,3) torch.ones(2,2,2,2) torch.tensor(True) torch.eye(3)".split(),
    *"torch.tensor([True,False]) torch.arange(3) torch.tensor([1,-1]) torch.tensor(1+2j)".split(),
    *"torch.ones(2,dtype=torch.int8)".split(),
    *"torch.ones(3,dtype=torch.float64) torch.ones(2,dtype=torch.float16) torch.tensor(float('nan'))".split(),
    *"torch.Tensor".split(),
    *"torch.ones(1,2,3).expand(2,2,3) torch.ones(2,3).t() (torch.ones(2,requires_grad=True)*2)".split(),
    *"torch.ones(1,3,4,4)".split(),
    *"torch.float32 torch.int64 torch.bool torch.complex64 torch.strided torch.device('cpu') torch.Size([2])".split(),
    *"'cpu'".split(),
    *"torch.preserve_format torch.Generator() nn.Linear(2,3) nn.Linear nn.Module() nn.Module nn.ReLU()".split(),
    *"nn.Sequential()".split(),
    *"nn.Parameter(torch.ones(2)) nn.ParameterList([torch.ones(2)]) nn.MSELoss() torch.optim.SGD torch.relu".split(),
    *"F.relu".split(),
    *"torch.optim.SGD([torch.ones(1,requires_grad=True)],lr=.1) torch.distributions.Normal(0.,1.)".split(),
    *"torch.no_grad()".split(),
    *"torch.no_grad torch.autograd.Function torch.utils.data.TensorDataset(torch.ones(3,2)) torch.nn.init".split(),
    *"np.ones(3) np.float32(1) np.int64(2) np.array([[1.,2.]]) np.array(['a']) np.zeros((0,2)) np.array(None)".split(),
    *"np.ones np.float64 np.bool_(True) np.ones(2,dtype=complex) np.arange(3)[::-1] np.random".split(),
)
VALUES = tuple(value.replace("\\t", " ") for value in VALUES)
INDICES = (
    *"0 -1 5 None ... : ::2 ::-1 1:0 'a' 1.5 True [] [0] [0,0] [True] () (0,) :,0 0,: 0,0,0,0,0 ...,...".split(),
    *"None,None 0:1,".split(),
    *"torch.tensor(0) torch.tensor([0,9]) torch.tensor([True]) torch.ones(2) [[0]] 'a':'b' 1.0:".split(),
    *":torch.tensor(1) 2**70".split(),
    *"torch.tensor([]) torch.zeros(0,dtype=torch.long) np.array([0]) {} {0} [None] [slice(None)] nn.ReLU()".split(),
    *":: ::0".split(),
)
OPERATORS = "+ - * / // % ** @ & | ^ << >> == != < <= > >= and or in is".split()
WRAPPERS = (
    *"list({}) tuple({}) [{}] ({},) str({}) float({}) int({}) bool({}) len({}) iter({}) (lambda:{})()".split(),
    *"(lambda:{}) -{}".split(),
    *"not\\t{} ~{} {}.sum() {}.backward() {}.detach() {}.T {}[0] {}[None] {}.item() {}.tolist() {}.numpy()".split(),
    *"{}.data {}()".split(),
    *"torch.tensor({}) torch.as_tensor({}) torch.stack({}) torch.cat({}) nn.Parameter({}) nn.Sequential({})".split(),
    *"abs({})".split(),
    *"torch.autograd.grad({},{}) torch.func.grad({}) torch.func.vmap({})({})".split(),
    *"torch.utils.checkpoint.checkpoint({},{})".split(),
    *"torch.autograd.functional.jacobian({},{}) {}.grad_fn {}.grad_fn.next_functions {}.double() {}.half()".split(),
    *"sum({})".split(),
    *"{}.requires_grad_() {}.clone() {}.reshape(-1) {}.unsqueeze(0) {}.to(torch.cfloat) {}.long()".split(),
    *"{}.__class__ repr({})".split(),
    *"dict({}) sorted({}) max({}) *{} **{} isinstance({},{}) type({}) copy.deepcopy({}) next(iter({}))".split(),
    *"{}.parameters()".split(),
)
WRAPPERS = tuple(wrapper.replace("\\t", " ") for wrapper in WRAPPERS)
AFTER = (
    *"{n}.backward() {n}.grad=None {n}.grad={v} {n}.data={v} {n}.requires_grad={v} {n}.foo={v} {n}[{i}]={v}".split(),
    *"{n}={v}".split(),
    *"{n}+={v} {n}@={v} {n}.retain_grad() {n}.register_hook({v}) {n}.backward({v}) del\\t{n} print({n})".split(),
    *"{n}.zero_()".split(),
    *"{n}.backward(gradient={v}) {n}.backward(retain_graph={v}) print({n}[{i}]) {n}.weight={v} {n}.forward={v}".split(),
    *"{n}.load_state_dict({v}) {n}.step({v}) {n}.zero_grad() {n}.param_groups[0]['lr']={v}".split(),
    *"{n}.register_buffer({v},{v})".split(),
    *"{n}.register_forward_hook({v}) {n}.register_full_backward_hook({v}) {n}.apply({v}) {n}.to({v})".split(),
    *"{n}({v}) {n}[{i}]".split(),
    *"{n}.add_module({v},{v}) {n}.grad.add_({v}) torch.autograd.grad({n},{v}) torch.autograd.backward({n},{v})".split(),
    *"{n}.retain_grad() {n}.detach_() {n}.requires_grad_({v}) print(f'{{{n}:{v}}}') {n}.log_prob({v})".split(),
    *"{n}.sample({v})".split(),
    *"print(*{n}) {n}.grad_fn.register_hook({v}) {n}.set_({v}) {n}.copy_({v}) {n}.add_({v})".split(),
    *"torch.set_default_dtype({v})".split(),
    *"{n}.{m}({v}) {n}.{m}({v},{v}) {n}.{m}() print({n}.{m}) {n}.{m}_({v}) {n}.{m}({k}={v})".split(),
    *"torch.{t}({n},{v}) torch.{t}({n})".split(),
    *"torch.{t}({n},{k}={v}) F.{f}({n}) F.{f}({n},{v}) F.{f}({n},{v},{v}) F.{f}({n},{k}={v})".split(),
    *"nn.{c}({v})({n}) nn.{c}()({n})".split(),
    *"nn.{c}({v},{v})({n}) nn.{c}({k}={v}) nn.{c}({v})({v}) torch.optim.{o}({n},{k}={v})".split(),
    *"torch.optim.{o}({v},{v})".split(),
    *"torch.optim.{o}([{n}],lr={v}).step({v}) torch.distributions.{d}({v},{v}).rsample()".split(),
    *"torch.distributions.{d}({n})".split(),
    *"torch.distributions.{d}({v}).log_prob({v}) torch.linalg.{l}({n}) torch.linalg.{l}({v},{v})".split(),
    *"torch.fft.{g}({n},{v})".split(),
    *"nn.init.{a}({n}) nn.init.{a}({n},{v}) torch.func.{h}({v},{v}) torch.func.{h}(lambda\\t*a:{n})({v})".split(),
    *"torch.optim.lr_scheduler.{s}(torch.optim.SGD([nn.Parameter(torch.ones(2))],lr=.1),{v}).step({v})".split(),
    *"torch.nn.utils.{u}({n},{v}) torch.utils.data.{j}({n},{v}) torch.autograd.functional.{r}({v},{n})".split(),
    *"np.{y}({v})".split(),
    *"torch.special.{q}({n}) np.{y}({n},{v}) torch.distributions.transforms.{T}({v})({n})".split(),
)
AFTER = tuple(line.replace("\\t", " ") for line in AFTER)
BLOCKS = (
    "for _ in range(2):", "if True:", "with torch.no_grad():", "with torch.enable_grad():", "while True:", "try:",
    "with torch.autograd.set_detect_anomaly(True):", "def f(a, *b, c=1):", "class C(nn.Module):", "class C:",
    "with torch.inference_mode():", "with {v}:", "for _ in {v}:", "@{v}\ndef g():", "class C({v}):", "lambda:",
)  # fmt: skip
BODIES = (
    "class {c}_(nn.{c}):\n    def forward(self, *a, **k): return {v}\n{c}_({v})({n})",
    "class M_(nn.Module):\n    def __init__(self): self.a = {v}\nM_()({n})",
    "class M_(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.a = {v}\n        self.a = {v}\n    def forward(self, *a): return self.a\nM_()({v}).backward()",
    "class F_(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, *a):\n"
    "        ctx.save_for_backward({v})\n        return {v}\n    @staticmethod\n"
    "    def backward(ctx, *g): return {v}\nF_.apply({n}, {v}).sum().backward()",
    "class T_(torch.Tensor):\n    {m} = {v}\nprint(T_({v}))",
    "class O_(torch.optim.Optimizer):\n    def __init__(self, p): super().__init__(p, {v})\n"
    "    def step(self): {n}.sub_({v})\nO_([{n}]).step()",
    "class D_(torch.utils.data.Dataset):\n    def __len__(self): return {v}\n    def __getitem__(self, i): return {v}\n"
    "for q in torch.utils.data.DataLoader(D_(), {k}={v}): print(q)",
    "{n}.register_hook(lambda g: {v})\n{n}.sum().backward()",
    "def f(*a): return {n} * {v}\nprint(torch.autograd.functional.{r}(f, {v}))",
    "try:\n    {n}.{m}({v})\nexcept Exception as e:\n    print(type(e), e)",
)
FOLLOWED = {
    "m": "Tensor", "t": "torch", "f": "torch.nn.functional", "c": "torch.nn", "o": "torch.optim", "l": "torch.linalg",
    "d": "torch.distributions", "a": "torch.nn.init", "g": "torch.fft", "h": "torch.func", "u": "torch.nn.utils",
    "s": "torch.optim.lr_scheduler", "j": "torch.utils.data", "r": "torch.autograd.functional", "q": "torch.special",
    "T": "torch.distributions.transforms",
}  # fmt: skip
ARRAY = "zeros ones array arange linspace eye dot matmul sum mean where stack concatenate clip exp reshape".split()


@cache
def vocabulary() -> dict[str, tuple[str, ...]]:
    """Names by the namespace they come from, keywords under `=`."""
    from importlib import import_module

    from engine.core.tensor import Tensor

    names: dict[str, tuple[str, ...]] = {}
    for home in FOLLOWED.values():
        room = re.sub(r"^torch\.(?=nn|optim)", "", home)
        source: Any = Tensor if home == "Tensor" else import_module(f"engine.{room}")
        offered = getattr(source, "__all__", None) or dir(source)
        names[home] = tuple(sorted(name for name in offered if not name.startswith("_") or name in ("__len__",)))
    keywords = {"".join(found) for seed in seeds() for found in re.findall(r"\b(\w+)=(?!=)", seed.text)}
    names["="] = tuple(sorted(name for name in keywords if name.isidentifier()))
    return names


class Mutator:
    """One source of changes; everything it does follows from its random numbers."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def program(self) -> str:
        """A program that nobody wrote."""
        chance = self.chance
        seed = chance.choice(seeds())
        text = self.tree(seed) if seed.nodes else seed.text
        if chance.random() < 0.45:
            names = seed.names or ["x"]
            for _ in range(chance.randrange(1, 4)):
                added = self.filled(chance.choice(AFTER if chance.random() < 0.8 else BODIES), names)
                if chance.random() < 0.5:
                    inner = added.replace("\n", "\n    ")
                    added = f"try:\n    {inner}\nexcept Exception as e: print(type(e), e)"
                text += added + "\n"
        if chance.random() < 0.04:
            text = self.bytes(text)
        return text

    def filled(self, template: str, names: list[str]) -> str:
        """A template with a name for `{n}`, values for `{v}`, an index for `{i}`, a word for each other letter."""
        chance, words = self.chance, vocabulary()

        def fill(match: re.Match[str]) -> str:
            letter = match[1]
            if letter == "n":
                return chance.choice(names) if chance.random() < 0.8 else "torch.ones(2, 3, requires_grad=True)"
            if letter == "v":
                return self.value(names)
            if letter == "i":
                return chance.choice(INDICES)
            return chance.choice(ARRAY if letter == "y" else words["=" if letter == "k" else FOLLOWED[letter]])

        return re.sub(r"\{(\w)\}", fill, template).replace("{{", "{").replace("}}", "}")

    def value(self, names: list[str]) -> str:
        """An odd value, or one of the program's own."""
        chance = self.chance
        if names and chance.random() < 0.25:
            return chance.choice(names)
        return chance.choice(VALUES)

    def tree(self, seed: Seed) -> str:
        """The text with one to four of its expressions and statements changed."""
        chance = self.chance
        edits: list[tuple[int, int, str]] = []
        for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
            node, start, end = chance.choice(seed.nodes)
            if start < len(PRELUDE):
                continue
            for edit in self.changed(node, start, end, seed):
                if all(edit[1] <= other[0] or edit[0] >= other[1] for other in edits):
                    edits.append(edit)
        text = seed.text
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def changed(self, node: ast.AST, start: int, end: int, seed: Seed) -> list[tuple[int, int, str]]:
        chance, names = self.chance, seed.names
        old = seed.text[start:end]
        if isinstance(node, ast.stmt):
            return self.statement(node, start, end, seed)
        if isinstance(node, ast.keyword):
            value = ast.get_source_segment(seed.text, node.value) or "0"
            renamed = f"{chance.choice(vocabulary()['='])}={value}"
            other = f"{node.arg or 'k'}={self.value(names)}"
            return [(start, end, chance.choice((renamed, value, other, f"*{value}")))]
        draw = chance.random()
        if isinstance(node, ast.Call) and draw < 0.75:
            return [(start, end, self.call(node, seed))]
        if isinstance(node, ast.Attribute) and draw < 0.7:
            return [(start, end, self.attribute(node, seed))]
        if isinstance(node, ast.Subscript) and draw < 0.7:
            base = ast.get_source_segment(seed.text, node.value)
            return [(start, end, f"{base}[{chance.choice(INDICES)}]")]
        if isinstance(node, ast.BinOp) and draw < 0.7:
            left, right = (ast.get_source_segment(seed.text, side) for side in (node.left, node.right))
            return [(start, end, f"({left} {chance.choice(OPERATORS)} {right})")]
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and draw < 0.5:
            return [(start, end, chance.choice(NUMBERS))]
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            return [(start, end, chance.choice(names))]
        if draw > 0.85:
            return [(start, end, chance.choice(WRAPPERS).replace("{}", old))]
        return [(start, end, self.value(names))]

    def call(self, node: ast.Call, seed: Seed) -> str:
        chance, text = self.chance, seed.text
        function = ast.get_source_segment(text, node.func) or "print"
        args = [ast.get_source_segment(text, arg) or "0" for arg in node.args]
        keywords = [ast.get_source_segment(text, keyword) or "k=0" for keyword in node.keywords]
        for _ in range(chance.choice((1, 1, 2))):
            kind = chance.randrange(10)
            at = chance.randrange(len(args) + 1)
            if kind < 4:
                args[at : at + 1] = [self.value(seed.names)]
            elif kind == 4:
                args[at : at + 1] = []
            elif kind == 5:
                args.insert(at, self.value(seed.names))
            elif kind == 6 and args:
                chance.shuffle(args)
            elif kind == 7:
                keywords.append(f"{chance.choice(vocabulary()['='])}={self.value(seed.names)}")
            elif kind == 8 and keywords:
                at = chance.randrange(len(keywords))
                name = keywords[at].partition("=")[0]
                keywords[at] = f"{name}={self.value(seed.names)}"
            elif isinstance(node.func, ast.Attribute):
                function = self.attribute(node.func, seed)
        return f"{function}({', '.join([*args, *keywords])})"

    def attribute(self, node: ast.Attribute, seed: Seed) -> str:
        base = ast.get_source_segment(seed.text, node.value) or "torch"
        home = {"F": "torch.nn.functional", "nn": "torch.nn", "torch.nn.init": "torch.nn.init"}.get(base, base)
        words = vocabulary()
        if self.chance.random() < 0.15:
            return f"{base}.{node.attr}_"
        return f"{base}.{self.chance.choice(words.get(home, words['Tensor']))}"

    def statement(self, node: ast.stmt, start: int, end: int, seed: Seed) -> list[tuple[int, int, str]]:
        chance = self.chance
        indent = " " * node.col_offset
        kind = chance.randrange(8)
        old = seed.text[start:end]
        if kind == 0:
            return [(start, end, "pass")]
        if kind == 1:
            return [(start, end, f"{old}\n{indent}{old}")]
        if kind == 2:
            block = self.filled(chance.choice(BLOCKS), seed.names or ["x"]).replace("\n", f"\n{indent}")
            body = "\n".join(f"    {line}" for line in old.split("\n"))
            tail = f"\n{indent}except Exception as e: print(type(e), e)" if block == "try:" else ""
            return [(start, end, f"{block}\n{indent}{body}{tail}")]
        if kind == 3:
            other, first, last = chance.choice(seed.nodes)
            if isinstance(other, ast.stmt) and first >= len(PRELUDE):
                return [(start, end, seed.text[first:last]), (first, last, old)]
            return []
        if kind == 4:
            return [(start, end, f"{old}\n{indent}return {self.value(seed.names)}")]
        added = self.filled(chance.choice(AFTER), seed.names or ["x"])
        return [(start, end, f"{old}\n{indent}{added}" if kind < 7 else f"{added}\n{indent}{old}")]

    def bytes(self, text: str) -> str:
        """The text as a bad wire or a bad editor would leave it."""
        chance = self.chance
        kind, at = chance.randrange(6), chance.randrange(len(text) + 1)
        if kind == 0:
            return text[:at]
        if kind == 1:
            return text[:at] + chance.choice("()[]{}'\"\\:,#\t\n\r\x0c\0") + text[at:]
        if kind == 2:
            raw = bytearray(text.encode("utf-8", "surrogatepass"))
            for _ in range(chance.randrange(1, 5)):
                raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
            return raw.decode("utf-8", "replace")
        if kind == 3:
            odd = chance.choice("\ud800\u202e\ufeffé²\uff41\U0001d4b3\u2028\x85\U0010ffffß")
            return text[:at] + odd * chance.choice((1, 1, 50)) + text[at:]
        if kind == 4:
            piece = chance.choice(("(" * 90, "[" * 150, "-" * 300, "lambda:" * 60, "(x," * 40, "not " * 99, "x." * 200))
            return text[:at] + piece + text[at:]
        letters = "".join(chance.choice(string.printable) for _ in range(chance.randrange(1, 40)))
        return text[:at] + letters + text[at + len(letters) :]


def program(seed: int, number: int) -> str:
    """The program with this number."""
    return Mutator(random.Random(f"{seed}:{number}")).program()


# --- judging


class Finding(NamedTuple):
    """One fault: what kind (see above), where in the engine, what was said, and which program does it."""

    kind: str
    place: str
    text: str
    number: int


INTERNALS = re.compile(
    r"\bengine\.|\b_array\b|ndarray|numpy\.\w+|<lambda>|__program__|\w+\.<locals>|ufunc"
    r"|'(?:Op|Row|Session|Recorder|Parsed|Builtin|HostMethod|Silent|Opaque|Selection)' object"
)


class Stalled(BaseException):
    """The program has used its processor time."""


def judge(code: str, number: int = 0) -> list[Finding]:
    """Run one program and say what is wrong with the answer."""
    found: list[Finding] = []
    noticed = watching()
    noticed.clear()
    stalled = []

    def stop(signum: int, frame: FrameType | None) -> None:
        stalled.append(_place(frame))
        raise Stalled

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)
    try:
        document = engine.run(code=code, limits=LIMITS, seed=1).document
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except Stalled:
        document = None
    except BaseException as error:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        found.append(Finding("raised", _origin(error), f"{type(error).__name__}: {error}"[:300], number))
        document = None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    if stalled:
        found.append(Finding("stalled", stalled[0], "", number))
    elif document is not None:
        found += _of_document(document, code, number)
    found += [Finding(kind, place, text, number) for kind, place, text in noticed]
    return found


def _of_document(document: dict[str, Any], code: str, number: int) -> Iterator[Finding]:
    try:
        json.loads(encode(document))
    except Exception as error:
        yield Finding("document", _origin(error), f"{type(error).__name__}: {error}"[:300], number)
    else:
        for rule in violations(document):
            yield Finding("document", re.sub(r"\d+", "#", rule)[:80], rule[:300], number)
    error = document["error"]
    if error is not None:
        line, text = error["line"], error["message"]
        lines = max(code.count("\n"), len(code.splitlines())) + 1
        if line is None and error["type"] != "LimitExceeded" or line is not None and not 1 <= line <= lines:
            yield Finding("place", error["type"], f"line {line}: {text}"[:300], number)
        if error["type"] in ("SystemError", "MemoryError"):
            yield Finding("memory", error["type"], text[:300], number)
        if any(_ours(words, code) for words in INTERNALS.findall(OF_ARRAYS.sub("", text))):
            yield Finding("internals", re.sub(r"\d+", "#", text)[:80], f"{error['type']}: {text}"[:300], number)


OF_ARRAYS = re.compile(
    r"^can't convert np\.ndarray of type numpy\.object_|^pic should be (Tensor|PIL Image) or ndarray\b"
)
"""The words of PyTorch and torchvision."""


def _ours(words: str, code: str) -> bool:
    """Whether the program cannot have brought these words into an error itself."""
    if words.startswith(("numpy", "ndarray", "ufunc")):
        return not re.search(r"\bnp\b|numpy", code.removeprefix(PRELUDE))
    return words.strip("<>").partition(".")[0] not in code


@cache
def watching() -> list[tuple[str, str, str]]:
    """From now on, errors that nobody worded are noticed here on their way to the program."""
    from engine.program import unworded

    noticed: list[tuple[str, str, str]] = []
    replaced, in_our_words = unworded.replaced, unworded.in_our_words

    def told(error: BaseException) -> BaseException:
        made = replaced(error)
        if made is error and unworded.out_of_the_engine(error):
            noticed.append(("python", _origin(error), f"{type(error).__name__}: {error}"[:300]))
        return made

    def worded(error: BaseException, *about: Any) -> Exception:
        made = in_our_words(error, *about)
        said = f"{type(error).__name__}: {error}"[:200]
        noticed.append(("unworded", _origin(error), f"{type(made).__name__}: {made}  <-  {said}"))
        return made

    unworded.replaced, unworded.in_our_words = told, worded
    return noticed


def _origin(error: BaseException) -> str:
    trace, frame = error.__traceback__, None
    while trace is not None:
        if "/engine/" in trace.tb_frame.f_code.co_filename:
            frame = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return "?" if frame is None else _named(*frame)


def _place(frame: FrameType | None) -> str:
    while frame is not None and "/engine/" not in frame.f_code.co_filename:
        frame = frame.f_back
    return "?" if frame is None else _named(frame, frame.f_lineno)


def _named(frame: FrameType, line: int) -> str:
    name = frame.f_code.co_filename.partition("/engine/")[2]
    return f"{name}:{line} {frame.f_code.co_qualname}"


# --- the attack


def batch(seed: int, first: int, count: int) -> tuple[list[Finding], float]:
    """Judge some programs in this process; what was found, and the processor time it took."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    began = time.process_time()
    found = [finding for number in range(first, first + count) for finding in judge(program(seed, number), number)]
    return found, time.process_time() - began


def sweep(count: int, seed: int, processes: int) -> tuple[list[Finding], float]:
    """Judge `count` programs in child processes. A child that dies is a finding, too."""
    seeds(), vocabulary(), engine.run(code="import torch, numpy")
    found: list[Finding] = []
    seconds = 0.0
    waiting = [(first, min(BATCH, count - first)) for first in range(0, count, BATCH)]
    for turn in range(3):
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            jobs = [(part, pool.submit(batch, seed, *part)) for part in waiting]
            waiting = []
            for part, job in jobs:
                try:
                    findings, took = job.result()
                except BrokenProcessPool:
                    waiting.append(part)
                else:
                    found += findings
                    seconds += took
        if not waiting:
            break
        if turn == 2:
            found += [Finding("died", "a process", f"programs {first} to {first + n}", first) for first, n in waiting]
    return found, seconds


def attack(size: float = 1.0, *, seed: int = 1, processes: int | None = None) -> Result:
    """`size` 1.0 tries `PROGRAMS` programs."""
    count = max(1, round(PROGRAMS * size))
    result = Result("mutation", "any text gives a document, and no error is worded by Python about the engine")
    with timed(result):
        found, seconds = sweep(count, seed, processes or min(4, os.cpu_count() or 1))
    broken = [finding for finding in found if finding.kind in FAILURES]
    result.tried = count
    result.failed = len({finding.number for finding in broken})
    result.failures = [f"{f.kind} {f.place}: {f.text} (seed {seed}, program {f.number})" for f in _first(broken)][:20]
    unworded = sum(finding.kind == "unworded" for finding in found)
    result.figures = {
        "unworded per 10,000": 1e4 * unworded / count,
        "programs per CPU second": count / max(seconds, 1e-9),
    }
    return result


def _first(found: Iterable[Finding]) -> list[Finding]:
    """One finding of each kind and place, the most frequent first."""
    counted = Counter((finding.kind, finding.place) for finding in found)
    first: dict[tuple[str, str], Finding] = {}
    for finding in found:
        first.setdefault((finding.kind, finding.place), finding)
    return [first[key] for key, _ in counted.most_common()]


def main(arguments: list[str] | None = None) -> None:
    """Print what was found, grouped by place."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=PROGRAMS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--show", type=int, help="print the program with this number and what is wrong with it")
    parser.add_argument("--save", type=Path, help="a file for the findings, one JSON array a line")
    options = parser.parse_args(arguments)
    if options.show is not None:
        code = program(options.seed, options.show)
        print(code, *judge(code, options.show), sep="\n")
        return
    found, seconds = sweep(options.count, options.seed, options.processes)
    if options.save:
        options.save.write_text("".join(json.dumps(finding) + "\n" for finding in found))
    kinds = Counter((f.kind, f.place) for f in found)
    for finding in _first(found):
        count = kinds[finding.kind, finding.place]
        print(f"{count:6} {finding.kind:9} {finding.place}  #{finding.number}  {finding.text!r}")
    totals = Counter(finding.kind for finding in found)
    print(f"{options.count} programs of seed {options.seed} in {seconds:.0f} CPU seconds: {dict(totals)}")


if __name__ == "__main__":
    main(sys.argv[1:])
