# ruff: noqa: E501 - programs are easier to read on one line
"""Work is paid for where it is done, and memory is asked for before it is taken."""

from __future__ import annotations

import tracemalloc
from contextlib import suppress
from typing import Any

import pytest

import engine
from engine import settings, torch
from engine.limits import Limits, metered
from engine.program import execute
from engine.program.runner import RESERVE
from engine.trace.sizes import encoded

MUCH = {
    "states of a generator": (1000, "import torch\ng = torch.Generator()\nfor _ in range(100): g.set_state(g.get_state())"),
    "transforms of a prime length": (40_000, "import torch\ntorch.fft.fft(torch.ones(999_983))"),
    "products of columns with rows": (480, "import torch\nx = torch.ones(1000, 1)\nx @ x.T"),
    "lists from tensors": (10_000, "import torch\ntorch.zeros(100_000).tolist()"),
    "sorting a tensor": (5000, "import torch\ntorch.zeros(100_000).sort()"),
    "selecting among equals": (50_000, "import torch\ntorch.zeros(90_000).topk(10)"),
    "reducing": (400, "import torch\nx = torch.zeros(1_000_000)\nfor _ in range(1): x.sum()"),
    "a gradient that is walked again": (2200, "import torch\nx = y = torch.ones(1, requires_grad=True)\nfor _ in range(500): y = y * 2\nfor _ in range(10): y.backward(retain_graph=True)"),
    "gradients that take long by themselves": (1400, "import torch\nx = torch.ones(4, 8, requires_grad=True)\ny = x\nfor _ in range(100): y = torch.nn.functional.layer_norm(y, (8,))\nfor _ in range(10): y.backward(x.detach(), retain_graph=True)"),
    "running products around a zero": (8000, "import torch\nx = torch.zeros(2000, requires_grad=True)\nx.cumprod(0).sum().backward()"),
    "gradients of one part of many": (30_000, "import torch\np = torch.ones(1000, requires_grad=True).unbind()\nfor i in range(240): p[i].backward(retain_graph=True)"),
    "gradients of one piece of many": (90_000, "import torch\np = torch.ones(1000, requires_grad=True).split(1)\nfor i in range(90): p[i].backward(retain_graph=True)"),
    "gradients of products": (30_000, "import torch\nx = torch.ones(600, 600, requires_grad=True)\ny = x @ x\nfor _ in range(10): y.backward(torch.ones(600, 600), retain_graph=True)"),
    "gradients of a matrix times a vector": (2800, "import torch\nx = torch.ones(1000, requires_grad=True)\ny = torch.ones(1000, 1000) @ x\nfor _ in range(40): y.backward(x.detach(), retain_graph=True)"),
    "gradients of chosen classes": (10_000, "import torch\nx, t = torch.ones(100_000, 2, requires_grad=True), torch.zeros(100_000, dtype=torch.long)\ny = torch.nn.functional.nll_loss(x, t)\nfor _ in range(10): y.backward(retain_graph=True)"),
    "gradients of inverses": (8000, "import torch\nx = torch.eye(200).requires_grad_()\ny = torch.linalg.inv(x)\nfor _ in range(10): y.backward(x.detach(), retain_graph=True)"),
    "gradients of average pools": (30_000, "import torch\nx = torch.ones(4, 4, 60, 60, requires_grad=True)\ny = torch.nn.functional.avg_pool2d(x, 20, 1)\nfor _ in range(10): y.backward(y.detach(), retain_graph=True)"),
    "normalisation across channels": (3000, "import torch\nx = torch.ones(1, 1000, 4, 4, requires_grad=True)\ntorch.nn.CrossMapLRN2d(3)(x).sum().backward()"),
    "patches that are added up": (3000, "import torch\nx, w = torch.ones(1, 1, 200, 200), torch.ones(1, 1, 20, 20)\ntorch.nn.functional.conv_transpose2d(x, w, stride=2)"),
    "powers of two of complex numbers": (3000, "import torch\nx = torch.ones(200_000, dtype=torch.cfloat)\nfor _ in range(2): x.exp2()"),
    "roots of complex numbers": (3000, "import torch\nx = torch.ones(200_000, dtype=torch.cfloat)\nfor _ in range(2): x.rsqrt()"),
    "powers of small numbers": (3000, "import torch\nx = torch.full((100_000,), 1e-40)\nfor _ in range(2): x ** 50"),
    "gradients of powers": (9000, "import torch\nx = torch.full((100_000,), -0.1, requires_grad=True)\ny = x ** 50\nfor _ in range(5): y.backward(x.detach(), retain_graph=True)"),
    "gradients of norms": (8000, "import torch\nx = torch.full((100_000,), -0.1, requires_grad=True)\ny = x.norm(100)\nfor _ in range(5): y.backward(retain_graph=True)"),
    "gradients of smooth losses": (2300, "import torch\nx = torch.ones(300_000, requires_grad=True)\ny = torch.nn.functional.smooth_l1_loss(x, x.detach() * 3)\nfor _ in range(5): y.backward(retain_graph=True)"),
    "Airy functions": (35_000, "import torch\nx = torch.full((100_000,), -20.0)\ntorch.special.airy_ai(x)"),
    "conjugates": (50_000, "import torch\nx = torch.ones(1_000_000, dtype=torch.complex64, requires_grad=True)\ny = x * 2j * x\nfor _ in range(2): y.backward(x.detach(), retain_graph=True)"),
    "a graph of gradients": (4000, "import torch\nx = torch.ones(1, requires_grad=True)\ny = x.tanh()\nfor _ in range(9): y, = torch.autograd.grad(y, x, create_graph=True)"),
    "truncated far from the middle": (8000, "import torch\ntorch.nn.init.trunc_normal_(torch.zeros(2000), a=30.0, b=31.0)"),
    "a permutation": (6_000, "import torch\ntorch.randperm(100_000)"),
    "a polynomial of high degree": (100_000, "import torch\ntorch.special.chebyshev_polynomial_t(torch.ones(1000), 100_000)"),
    "stepping": (1000, "import torch\np = [torch.ones(1, requires_grad=True) for _ in range(100)]\nsum(p).backward()\no = torch.optim.SGD(p, lr=1.0)\nfor _ in range(5): o.step()"),
    "text of tensors": (5000, "import torch\nstr([torch.zeros(2)] * 500)"),
    "writing to a place again and again": (50_000, "import torch\nx, i = torch.zeros(10, 1000), torch.zeros(400_000, dtype=torch.long)\nx[i] = 0.0"),
    **{f"{name} of many in few places": (1200, f"import torch\nx, i, s = torch.zeros(3), torch.zeros(100_000, dtype=torch.long), torch.ones(100_000)\n{call}") for name, call in {
        "index_add_": "x.index_add_(0, i, s)", "scatter_": "x.scatter_(0, i, s)", "put_": "x.put_(i, s)", "index_put_": "x.index_put_((i,), s)", "masked_scatter_": "x.masked_scatter_(x == 0, s)"}.items()},
    "steps along singular vectors": (50_000, "import torch\np = torch.ones(700, 700, requires_grad=True)\np.sum().backward()\ntorch.optim.Muon([p]).step()"),
    "places on a grid": (400, "import torch\nx, g = torch.ones(1, 1, 4, 4), torch.zeros(1, 3, 3, 2)\nfor _ in range(20): torch.nn.functional.grid_sample(x, g, align_corners=False)"),
}  # fmt: skip


@pytest.mark.parametrize(("least", "program"), MUCH.values(), ids=MUCH.keys())
def test_what_takes_long_takes_fuel(least: int, program: str) -> None:
    outcome = execute(program, seed=0)
    assert outcome.error is None or outcome.error.limit == "fuel"
    assert outcome.fuel_used >= least


LARGE = [
    "x = torch.zeros(2_000_000)\nx[:, None] * x", "x = torch.zeros(3000)\ntorch.outer(x, x)", "x = torch.zeros(100, 100)\ntorch.kron(x, x)",
    "x = torch.zeros(2500)\ntorch.einsum('i,j->ij', x, x)", "x = torch.zeros(3000, 1)\ntorch.cdist(x, x)", "torch.vander(torch.ones(3000))",
    "torch.multinomial(torch.ones(10), 7_000_000, replacement=True)", "torch.repeat_interleave(torch.tensor([10**9]))",
    "torch.repeat_interleave(torch.ones(1), torch.tensor([10**9]))", "x = torch.zeros(2500)\ntorch.where(x[:, None] > x, x, x)",
    "x = torch.zeros(200)\ntorch.addcmul(x[:, None, None], x[:, None], x)", "x = torch.zeros(3000, 2)\ntorch.pdist(x)",
    "torch.nn.functional.one_hot(torch.tensor([10**9]))", "torch.eye(10**5)", "torch.tril_indices(10**5, 10**5)", "torch.arange(10**9)",
    "torch.nn.functional.pad(torch.zeros(1), (10**9, 0))", "torch.nn.functional.adaptive_avg_pool2d(torch.zeros(1, 1, 4, 4), 10**4)",
    "torch.fft.fft(torch.zeros(8), n=10**9)", "torch.cartesian_prod(*[torch.zeros(60)] * 5)", "torch.combinations(torch.zeros(1000), 3)",
    "torch.block_diag(*[torch.zeros(900, 900)] * 4)", "torch.nn.functional.interpolate(torch.zeros(1, 1, 4, 4), size=(10**5, 10**5))",
    "torch.meshgrid(torch.zeros(3000), torch.zeros(3000), indexing='ij')[0].contiguous()", "torch.histc(torch.zeros(3), bins=10**9)",
    "torch.fft.fftfreq(10**9)", "torch.nn.Transformer.generate_square_subsequent_mask(10**4)",
    "torch.nn.functional.pad(torch.zeros(1, 1, 4), (10**8, 0), mode='replicate')",
    *[f"x, y = torch.zeros(3000, 1), torch.zeros(1, 3000)\n{call}" for call in (
        "torch.logical_xor(x, y)", "torch.heaviside(x, y)", "torch.isclose(x, y)", "torch.complex(x, y)", "torch.polar(x, y)",
        "torch.normal(x, y)", "x.masked_fill(y > 0, 1.0)")],
    "torch.mvlgamma(torch.full((1000,), 1e6), 10**5)",
    "x = torch.zeros(1, 2, 1, 1, requires_grad=True)\ny = torch.nn.CrossMapLRN2d(10**9)(x).sum()\ny.backward()",
    "x = torch.zeros(1000, 1000)\nx[torch.zeros(90_000, dtype=torch.long)]",
]  # fmt: skip


@pytest.mark.parametrize("program", LARGE)
def test_what_would_be_too_large_is_refused_before_it_is_made(program: str) -> None:
    lines = program.count("\n") + 2
    execute("import torch", seed=0)
    tracemalloc.start()
    try:
        outcome = execute("import torch\n" + program, limits=Limits(tensor_elements=6_000_000), seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert outcome.error is not None
    assert outcome.error.limit in ("tensor_elements", "total_bytes")
    assert outcome.error.line == lines
    assert peak - RESERVE < 24_000_000


PICKED = {
    "an index": "x[i]", "a mask of rows": "x[m]", "index_select": "x.index_select(0, i)", "gather": "x.gather(0, i[:, None])",
    "take": "x.take(i)",
}  # fmt: skip


@pytest.mark.parametrize("pick", PICKED.values(), ids=PICKED.keys())
def test_what_is_picked_is_paid_and_not_what_it_is_picked_from(pick: str) -> None:
    program = "import torch\nx = torch.zeros(2000, 500)\ni = torch.tensor([3, 5, 5])\nm = torch.arange(2000) < 3\n"
    made = execute(program, seed=0).fuel_used
    outcome = execute(f"{program}for _ in range(10): {pick}", seed=0)
    assert outcome.error is None
    assert outcome.fuel_used - made < 400


BATCHES = """
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split
torch.manual_seed(0)
rows = TensorDataset(torch.randn(500, 3), torch.arange(500) % 2)
some, others = random_split(rows, [300, 200])
w = torch.zeros(3, requires_grad=True)
def train(data, **options):
    for x, y in DataLoader(data, batch_size=50, **options):
        (x @ w - y).square().mean().backward()
        with torch.no_grad():
            w.sub_(0.1 * w.grad)
            w.grad = None
    return x.sum().item(), y.tolist()
for epoch in range(EPOCHS):
    last = train(rows, shuffle=True), train(some)
print(last, w, next(iter(DataLoader(rows.tensors[1], 4))))
"""


def test_batches_that_nobody_sees_are_read_at_once() -> None:
    few, many = (engine.run(code=BATCHES.replace("EPOCHS", str(n)), seed=0).document for n in (10, 60))
    assert few["error"] is None and many["error"] is None
    assert many["limits"]["fuel_used"] - few["limits"]["fuel_used"] < 50 * 1800
    program = BATCHES.replace("(rows, shuffle=True)", "(Mine(*rows.tensors), shuffle=True)")
    one_by_one = program.replace("torch.manual_seed", "class Mine(TensorDataset): pass\ntorch.manual_seed")
    document = engine.run(code=one_by_one.replace("EPOCHS", "60"), seed=0).document
    assert document["stdout"] == many["stdout"]
    assert document["limits"]["fuel_used"] > many["limits"]["fuel_used"]


FREE = {
    "small tensors": (20, "import torch\nx = torch.ones(100)\nfor _ in range(2): x * x"),
    "gradients of small pools": (1300, "import torch\nx = torch.ones(16, 8, 28, 28, requires_grad=True)\ny = torch.nn.functional.max_pool2d(x, 2)\ng = torch.ones_like(y)\nfor _ in range(10): y.backward(g, retain_graph=True)"),
    "one class of many": (250, "import torch\nx, t = torch.ones(64, 1000), torch.zeros(64, dtype=torch.long)\ntorch.nn.functional.nll_loss(x, t)"),
    "one of many words": (3500, "import torch\np = torch.ones(50_000)\ntorch.multinomial(p, 1)"),
    "a turn of training": (60, "import torch\na = torch.tensor(1.0, requires_grad=True)\no = torch.optim.Adam([a])\n((a * 3 - 1) ** 2).backward()\no.step()"),
}  # fmt: skip


@pytest.mark.parametrize(("most", "program"), FREE.values(), ids=FREE.keys())
def test_ordinary_statements_cost_little(most: int, program: str) -> None:
    outcome = execute(program, seed=0)
    assert outcome.error is None
    assert outcome.fuel_used <= most


NETS = {
    "numpy": (
        "import numpy as np\nx, y = np.ones((64, 1000)), np.ones((64, 10))\nw1, w2 = np.ones((1000, 100)), np.ones((100, 10))\n",
        "    h = np.maximum(x.dot(w1), 0)\n    g = 2.0 * (h.dot(w2) - y)\n    g2 = h.T.dot(g)\n    gh = g.dot(w2.T)\n"
        "    gh[h < 0] = 0\n    w1 -= 1e-6 * x.T.dot(gh)\n    w2 -= 1e-6 * g2\n",
    ),
    "Adam": (
        "import torch\nfrom torch import nn\nx, y = torch.ones(64, 1000), torch.ones(64, 10)\n"
        "m = nn.Sequential(nn.Linear(1000, 100), nn.ReLU(), nn.Linear(100, 10))\no = torch.optim.Adam(m.parameters())\n",
        "    o.zero_grad()\n    nn.functional.mse_loss(m(x), y).backward()\n    o.step()\n",
    ),
    "convolutions": (
        "import torch\nfrom torch import nn\nx = torch.ones(8, 1, 28, 28)\no = []\n"
        "m = nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.Sigmoid(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Sigmoid())\n"
        "o = torch.optim.SGD(m.parameters(), lr=0.1)\n",
        "    o.zero_grad()\n    m(x).sum().backward()\n    o.step()\n",
    ),
    "dropout": (
        "import torch\nfrom torch import nn\nx = torch.ones(20, 1)\no = []\n"
        "m = nn.Sequential(nn.Linear(1, 300), nn.Dropout(), nn.ReLU(), nn.Linear(300, 300), nn.Dropout(), nn.Linear(300, 1))\n"
        "o = torch.optim.Adam(m.parameters())\n",
        "    o.zero_grad()\n    m(x).sum().backward()\n    o.step()\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "turn"), NETS.values(), ids=NETS.keys())
def test_five_hundred_turns_of_a_net_leave_fuel(before: str, turn: str) -> None:
    used = [
        engine.run(code=f"{before}for i in range({turns}):\n{turn}", seed=0).document["limits"]["fuel_used"]
        for turns in (2, 4)
    ]
    assert (used[1] - used[0]) / 2 * 500 < Limits().fuel * 0.75


def test_a_view_takes_no_memory_to_pay_for() -> None:
    code = "import torch\nw = torch.zeros(1000, 1000)\nfor _ in range(100): w.t(), w[0]"
    document = engine.run(code=code, seed=0).document
    assert document["limits"]["fuel_used"] < 15_000  # the document sums up what it sees


SUMMED = {
    "views": (1200, "x = torch.ones(1_000_000)\nfor _ in range(10): x.view(-1)"),
    "tensors that share memory": (1200, "x = torch.ones(1_000_000).numpy()\nfor _ in range(10): torch.from_numpy(x)"),
    "gradients that are views": (
        2400,
        "x = y = torch.ones(1_000_000, requires_grad=True)\nfor _ in range(10): y = y.view(-1)\ny.backward(torch.ones(1_000_000))",
    ),
}


@pytest.mark.parametrize(("least", "program"), SUMMED.values(), ids=SUMMED.keys())
def test_numbers_that_a_document_sums_up_again_take_fuel(least: int, program: str) -> None:
    watched = engine.run(code=f"import torch\n{program}", seed=0).document["limits"]["fuel_used"]
    assert watched - execute(f"import torch\n{program}", seed=0).fuel_used >= least


def test_inputs_count_for_the_size_of_a_document() -> None:
    function = "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, *x): return x[0] * 2"
    code = f"import torch\n{function}\nx = [torch.ones(())] * 1000\nwhile True: F.apply(*x)"
    document = engine.run(code=code, seed=0, limits=Limits(document_bytes=2_000_000, fuel=2_000)).document
    assert encoded(document) <= 2_000_000


def test_a_document_has_fewer_large_values_than_small_ones() -> None:
    code = "import torch\nx = torch.ones({})\nwhile True: x.view(-1)"
    limits = Limits(fuel=20_000)
    sizes = (3_000_000, 3_000)
    few, many = (len(engine.run(code=code.format(n), limits=limits, seed=0).document["values"]) for n in sizes)
    assert few < many / 3


def test_twenty_thousand_steps_of_adam_fit_into_the_fuel() -> None:
    program = (
        "import torch\na = torch.tensor(1.0, requires_grad=True)\nb = torch.tensor(2.0, requires_grad=True)\n"
        "o = torch.optim.Adam([a, b], lr=0.01)\nfor i in range({}):\n    o.zero_grad()\n    loss = (a * 3 + b - 10) ** 2\n"
        "    loss.backward()\n    o.step()\n    if i % 1000 == 0: print(loss.item())"
    )
    with settings.aside():
        settings.fresh()  # of the anomaly mode, and whatever else a program before this left to be looked for
        used = [execute(program.format(turns), seed=0).fuel_used for turns in (10, 110)]
    assert (used[1] - used[0]) / 100 * 20_000 < Limits().fuel / 2


def test_reserving_charges_nothing() -> None:
    with metered(Limits(tensor_elements=100, total_bytes=200)) as counting:
        for _ in range(9):
            counting.reserve(40, 4)
        assert counting.fuel_used == 0
        counting.allocate(40, 4)


WIDER = [
    "x.add_(y)", "x.lerp_(y, y)", "x.addcmul_(y, y)", "x.logical_or_(y)", "x.div_(y, rounding_mode='floor')",
    "x.pow_(y)",
]  # fmt: skip


@pytest.mark.parametrize("write", WIDER)
def test_what_does_not_fit_where_it_is_written_is_not_computed(write: str) -> None:
    execute("import torch", seed=0)
    program = f"import torch\nx, y = torch.ones(1, 1000), torch.ones(1000, 1, 1000)\n{write}"
    tracemalloc.start()
    try:
        outcome = execute(program, seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert outcome.error is not None
    assert outcome.error.message.startswith("output with shape [1, 1000] doesn't match the broadcast shape [1000, 1")
    assert peak - RESERVE < 6_000_000


@pytest.mark.parametrize("steps", [torch.tensor(1), torch.tensor([0.5]), float("nan"), 0.5, None])
def test_fuel_is_a_whole_number_whatever_an_op_is_given(steps: Any) -> None:
    with metered(Limits()) as meter:
        before = meter.fuel_used
        with suppress(TypeError):
            meter.charge(steps)
        assert type(meter.fuel_used) is int and meter.fuel_used >= before


@pytest.mark.parametrize("sizes", ["torch.tensor([0.5])", "torch.tensor(0.5)", "0.5", "None"])
def test_the_size_of_parts_is_an_integer(sizes: str) -> None:
    outcome = execute(f"import torch\ntorch.unsafe_split(torch.ones(3), {sizes})")
    assert outcome.error is not None and outcome.error.type == "TypeError"
    assert "argument 'split_size'" in outcome.error.message and "must be int" in outcome.error.message
