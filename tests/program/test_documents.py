# ruff: noqa: E501 - programs are easier to read on one line
"""The document comes whatever the program did to its objects, and calls nothing of the program when it has ended."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import engine
import engine.torch as torch
from engine.trace.sizes import encoded
from tests.snippets.invariants import violations

HEAD = "import torch\nfrom torch import nn\n"
ASKED = "raise ValueError('asked')"
KEY = "class K:\n    def __hash__(self): return 1\n    def __eq__(self, o): return self is o\n    def __repr__(self): raise ValueError('asked')\n"
CALLED = "\nn.register_full_backward_hook(lambda m, a, b: None)\nn(torch.ones(1, 2)).sum().backward()"
METHODS = (
    "named_parameters named_buffers named_modules parameters buffers modules children named_children _get_name".split()
)
SPECIAL = "__hash__ __eq__ __repr__ __len__ __iter__ __bool__ __str__ __getitem__".split()
JUNK = ("5", "None", "[1, 2]", "'abc'", "torch.ones(3)", "{1: 2}", "(nn.Linear(1, 1),)")
TABLES = ("_parameters", "_buffers", "_modules")
PROPERTIES = (
    "shape dtype grad numel detach requires_grad is_leaf grad_fn data ndim size item retains_grad output_nr".split()
)
FIELDS = "_a _rg _fn _nr _vc _view _grad _acc _hooks _retains _cut _tangent _inference".split()
TENSORS = (("torch.Tensor", "T([1., 2.])"), ("nn.Parameter", "T(torch.ones(2))"), ("nn.Parameter", "T.__new__(T)"))


def hostile() -> Iterator[str]:
    """Programs whose objects answer wrongly, or not at all, to whoever asks them."""
    yield "class N(nn.Module):\n    def __init__(self):\n        self.a = 1\nn = N()\nl = [n]"
    yield "class N(nn.Module):\n    def __init__(self): pass\nm = nn.Sequential()\nm._modules['0'] = N()"
    for name in METHODS:
        yield f"class N(nn.Linear):\n    def {name}(self, *a, **k):\n        {ASKED}\nn = N(2, 2)"
        yield f"class N(nn.Linear):\n    def {name}(self, *a, **k):\n        return [1, 'x', (2, 3, 4)]\nn = N(2, 2){CALLED}"
        yield f"class N(nn.Linear):\n    def {name}(self, *a, **k):\n        while True:\n            yield 'a', self.weight\nn = N(2, 2)"
        yield f"n = nn.Linear(2, 2)\nn.{name} = 5"
    for name in SPECIAL:
        yield f"class N(nn.Linear):\n    def {name}(self, *a):\n        {ASKED}\nn = N(2, 2){CALLED}"
        yield f"class N(nn.Linear):\n    {name} = None\nn = N(2, 2)"
        yield f"class T(nn.Parameter):\n    def {name}(self, *a):\n        {ASKED}\nt = T(torch.ones(2))\nl = [t]"
    for table in TABLES:
        for junk in JUNK:
            yield f"class N(nn.Module):\n    {table} = None\nn = N()\nn.{table} = {junk}"
            yield f"n = nn.Linear(2, 2)\nn.{table}['x'] = {junk}"
            yield f"class N(nn.Module):\n    {table} = {junk}\n    def __init__(self): pass\nn = N()"
        yield f"class K:\n    def __hash__(self): return 1\n    def __eq__(self, o): {ASKED}\n    def __repr__(self): {ASKED}\nn = nn.Linear(2, 2)\nn.{table}[K()] = None\nn.{table}[(1, 2)] = n.weight"
        yield f"class D(dict):\n    def items(self): {ASKED}\n    def __iter__(self): {ASKED}\n    def __len__(self): {ASKED}\nclass N(nn.Module):\n    {table} = None\nn = N()\nn.{table} = D(a=1)"
        yield f"class N(nn.Linear):\n    {table} = None\nn = N(2, 2)\ndel n.{table}"
    yield "n = object.__new__(nn.Linear)\nm = nn.Sequential.__new__(nn.Sequential)"
    yield "class N(nn.Linear):\n    def __new__(cls, *a):\n        return super().__new__(cls)\n    def __init__(self, *a): pass\nn = N(2, 2)"
    yield "n = nn.Sequential(nn.Linear(2, 2))\nn.me = n\nn[0].up = n"
    yield "n = nn.Linear(2, 2)\nfor i in range(1000):\n    n = nn.Sequential(n)"
    for name in PROPERTIES:
        for base, make in TENSORS[:2]:
            yield f"class T({base}):\n    def {name}(self, *a):\n        {ASKED}\nt = {make}\nl = [t]"
            yield f"class T({base}):\n    @property\n    def {name}(self):\n        {ASKED}\nt = {make}\nd = {{'a': t}}"
    for name in FIELDS:
        for base, make in TENSORS:
            yield f"class T({base}):\n    {name} = 5\nt = {make}\nl = [t]"
            yield f"class T({base}):\n    @property\n    def {name}(self):\n        {ASKED}\nt = {make}\nl = [t]"
            yield f"class T({base}):\n    {name} = None\nt = {make}\nt.{name} = 'junk'\nl = [t]"
            yield f"class T({base}):\n    {name} = None\nt = {make}\nt.{name} = torch.ones(2)\nl = [t]"
    yield "a = torch.Tensor.__new__(torch.Tensor)\nb = nn.Parameter.__new__(nn.Parameter)\nl = [a, b]\ndef f(t): return t\nf(a)"
    yield "n = nn.Linear(2, 2)\nn._parameters['h'] = object.__new__(nn.Parameter)"
    yield KEY + "d = {K(): torch.ones(2), (1, K()): torch.ones(2)}"
    yield "class K:\n    def __repr__(self):\n        while True: pass\nd = {K(): torch.ones(2)}"
    yield "d = {10**4700: torch.ones(2), 1 << 16000: torch.ones(1), 'x' * 900000: torch.ones(2), 'y' * 900000: torch.ones(2)}"
    for base, make in (("list", "[torch.ones(1)]"), ("tuple", "[torch.ones(1)]"), ("dict", "a=torch.ones(1)")):
        for name in ("__len__", "__iter__", "__getitem__", "items"):
            yield f"class L({base}):\n    def {name}(self, *a): {ASKED}\nl = L({make})\ndef f(l):\n    k = l\nf(l)"
    yield "l = [torch.ones(1)]\nl.append(l)\nd = {}\nd['d'] = d"
    yield "class N(nn.Linear):\n    def named_parameters(self, *a): raise ValueError('asked')\ndef f():\n    n = N(2, 2)\n    return n(torch.ones(1, 2))\nf()"
    yield "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.warn('x')\nl = w"
    for base in ("int", "float"):
        methods = "".join(
            f"    def {name}(self, *a): {ASKED}\n"
            for name in "__abs__ __lt__ __eq__ __format__ __str__ __repr__".split()
        )
        yield f"class I({base}):\n{methods}x = torch.ones(2, requires_grad=True)\ny = x * I(3)\nz = (y + I(2)).sum()\nz.backward()"
    yield (
        KEY
        + "class S(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, k, d):\n        ctx.next_edges, ctx.sequence_nr, ctx.args, ctx.op, ctx.saved, ctx.outputs, ctx.input_nrs = 5, 'x', k, k, 3, 7, 'n'\n        return x * 2\n    @staticmethod\n    def backward(ctx, g):\n        return g * 2, None, None\nx = torch.ones(2, requires_grad=True)\nS.apply(x, K(), {K(): [K()]}).sum().backward()"
    )
    yield "a = 1 << 16000\nfor i in range(900): a = [a]\nclass S(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, a, b): return x * 2\n    @staticmethod\n    def backward(ctx, g): return g, None, None\nx = torch.ones(2, requires_grad=True)\nS.apply(x, a, 1 << 16000).sum().backward()"
    yield "class E(Exception):\n    def __str__(self): raise E()\nraise E()"
    yield "raise ValueError(1 << 16000)"
    yield (
        KEY
        + "x = torch.ones(2, requires_grad=True)\nwith torch.autograd.graph.saved_tensors_hooks(lambda t: K(), lambda k: torch.ones(2)):\n    y = (x * x).sum()\ny.backward()"
    )
    yield "x = torch.ones(2, requires_grad=True)\nwith torch.autograd.graph.saved_tensors_hooks(lambda t: object.__new__(torch.Tensor), lambda k: torch.ones(2)):\n    y = (x * x).sum()\ny.backward()"


def test_no_program_keeps_its_document_from_coming() -> None:
    for program in hostile():
        document = engine.run(code=HEAD + program, seed=0).document
        assert not violations(document), program


def document(program: str, **limits: Any) -> dict[str, Any]:
    from engine.limits import Limits

    return engine.run(code=program, limits=Limits(**limits), seed=0).document


def test_what_cannot_be_read_is_said() -> None:
    found = document(HEAD + "n = nn.Sequential(nn.Linear(2, 2))\nn[0]._parameters['x'] = 5")
    assert [(m["path"], m.get("unreadable"), list(m["parameters"])) for m in found["modules"]] == [
        ("n", None, []),
        ("n.0", True, ["weight", "bias"]),
    ]


def test_modules_are_as_deep_as_they_like() -> None:
    found = document(HEAD + "n = nn.Linear(2, 2)\nfor i in range(1000):\n    n = nn.Sequential(n)")
    assert len(found["modules"]) == 1001 and found["error"] is None
    assert found["modules"][3]["path"] == "n.0.0.0"


@pytest.mark.parametrize(
    ("statement", "message"),  # PyTorch 2.13
    [
        ("self.w = nn.Parameter(torch.ones(2))", "cannot assign parameters before Module.__init__() call"),
        ("self.fc = nn.Linear(2, 2)", "cannot assign module before Module.__init__() call"),
        ("self.b = nn.Buffer(torch.ones(2))", "cannot assign buffer before Module.__init__() call"),
        ("self.register_buffer('b', torch.ones(2))", "cannot assign buffer before Module.__init__() call"),
        ("self(1)", "'N' object has no attribute '_backward_hooks'"),
        ("list(self.parameters())", "'N' object has no attribute '_parameters'"),
        ("print(self)", "'N' object has no attribute '_modules'"),
        ("self.train()", "'N' object has no attribute '_modules'"),
        ("self.register_forward_hook(print)", "'N' object has no attribute '_forward_hooks'"),
    ],
)
def test_a_module_that_forgot_its_base_fails_where_pytorch_does(statement: str, message: str) -> None:
    found = document(f"{HEAD}class N(nn.Module):\n    def __init__(self):\n        {statement}\nn = N()")
    assert (found["error"]["type"], found["error"]["message"]) == ("AttributeError", message)
    assert found["error"]["line"] == 5


LONG = (
    "class N(nn.Module): pass\nn = N()\nfor i in range(500): n.add_module('x' * 30000 + str(i), nn.Linear(1, 1))",
    "import warnings\nfor i in range(500): warnings.warn(str(i) + 'w' * 90000)",
    "class S(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): return x * 2\n    @staticmethod\n    def backward(ctx, g): return g\nS.__name__ = 'q' * 900000\nx = torch.ones(2, requires_grad=True)\nfor i in range(100): x = S.apply(x)",
    "x = torch.ones(1, requires_grad=True)\ny = x\nfor i in range(20000): y = y + x\ny.sum().backward()",
    "for i in range(10): print('\\ud800' * 6000)\nx = torch.ones(200)\nfor i in range(1500): x = x * 1.1",
    "d = {'k' * 900000 + str(i): torch.ones(1) for i in range(19)}",
    f"for i in range(3000): {'v' * 25000} = torch.ones(1)",
    "x = torch.randn(256, dtype=torch.complex128)\nfor i in range(1500): x = x * 1.000001",
    "raise ValueError('e' * 900000)",
    "\n".join(f"a{i} = [torch.randn(256) for _ in range(20)]" for i in range(400)),
    "xs = [torch.tensor(1., requires_grad=True) for i in range(2500)]\ny = torch.stack([x.sin().cos() for x in xs]).sum()\ny.backward()",
    "x = torch.ones(1, requires_grad=True)\ny = x\nfor i in range(200): y = y * x\nfor i in range(100): y.sum().backward(retain_graph=True)",
    "ps = [torch.randn(256, requires_grad=True) for i in range(300)]\no = torch.optim.Adam(ps)\nfor i in range(4):\n    o.zero_grad()\n    sum((p * p).sum() for p in ps).backward()\n    o.step()",
    "t = (1,)\nfor i in range(30): t = (t, t)\nclass S(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x, t): return x * 2\n    @staticmethod\n    def backward(ctx, g): return g, None\nS.apply(torch.ones(2, requires_grad=True), t).sum().backward()",
)


@pytest.mark.parametrize("program", LONG, ids=range(len(LONG)))
def test_a_document_has_its_size_whatever_it_consists_of(program: str) -> None:
    found = document(HEAD + program)
    assert encoded(found) <= 8_388_608
    assert not violations(found)


def test_one_run_at_a_time() -> None:
    refused: list[str] = []

    def again() -> None:
        try:
            engine.run(code="x = 1", seed=0)
        except RuntimeError as error:
            refused.append(str(error))

    from engine import running

    with running._running:
        thread = threading.Thread(target=again)
        thread.start()
        thread.join(60)
        again()
    assert refused == ["engine.run is running in this process: it runs one program at a time"] * 2
    assert engine.run(code="print(1)", seed=0).document["stdout"] == "1\n"


def test_a_run_leaves_the_settings_of_its_caller_alone() -> None:
    program = (
        "import torch\ntorch.manual_seed(3)\ntorch.randn(5)\ntorch.set_default_dtype(torch.float64)\ntorch.set_printoptions(precision=1)\n"
        "torch.set_grad_enabled(False)\ntorch.autograd.set_detect_anomaly(True)\ntorch.use_deterministic_algorithms(True)\n"
        "torch.nn.modules.module.register_module_forward_hook(print)"
    )
    kept = torch.get_default_dtype(), torch.is_grad_enabled(), np.geterr()
    try:
        torch.set_default_dtype(torch.float64)
        torch.set_printoptions(precision=2)
        torch.set_grad_enabled(False)
        torch.manual_seed(7)
        torch.randn(3)
        expected = torch.Generator().set_state(torch.get_rng_state())
        before = torch.get_rng_state()
        assert engine.run(code=program, seed=0).document["error"] is None
        assert torch.get_default_dtype() is torch.float64 and not torch.is_grad_enabled()
        assert repr(torch.tensor(1 / 3)) == "tensor(0.33)"
        assert json.dumps(torch.get_rng_state().tolist()) == json.dumps(before.tolist())
        assert torch.randn(4).tolist() == torch.randn(4, generator=expected).tolist()
        assert np.geterr() == kept[2]
    finally:
        torch.set_default_dtype(kept[0])
        torch.set_printoptions(profile="default")
        torch.set_grad_enabled(kept[1])
