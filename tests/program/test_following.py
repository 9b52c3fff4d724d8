# ruff: noqa: E501 - programs are easier to read on one line
"""A run that outgrows its document goes on: its beginning and its last backward pass are recorded, its end is right."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.limits import Limits
from engine.trace import recorder
from engine.trace.recorder import Recorder
from engine.trace.sizes import encoded
from engine.trace.skipping import Skipping
from tests.snippets.invariants import violations

HEAD = "import torch\nfrom torch import nn\n"
LOOPS = {
    "adam on two numbers": "a = torch.tensor(1.0, requires_grad=True)\nb = torch.tensor(2.0, requires_grad=True)\nopt = torch.optim.Adam([a, b], lr=0.01)\nfor i in range(300):\n    opt.zero_grad()\n    loss = (a * 3 + b - 6) ** 2\n    loss.backward()\n    opt.step()\nprint(a.item(), b.item())",
    "two layers by hand": "x, y = torch.randn(8, 30), torch.randn(8, 10)\nw1 = torch.randn(30, 20, requires_grad=True)\nw2 = torch.randn(20, 10, requires_grad=True)\nfor t in range(40):\n    loss = (x.mm(w1).clamp(min=0).mm(w2) - y).pow(2).sum()\n    if t % 10 == 9: print(t, loss.item())\n    loss.backward()\n    with torch.no_grad():\n        w1 -= 1e-6 * w1.grad\n        w2 -= 1e-6 * w2.grad\n        w1.grad.zero_()\n        w2.grad.zero_()",
    "epochs and batches": "net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))\nopt = torch.optim.SGD(net.parameters(), lr=.01, momentum=.9)\nX = torch.randn(32, 4)\nfor epoch in range(30):\n    for i in range(0, 32, 8):\n        opt.zero_grad()\n        loss = net(X[i:i+8]).pow(2).mean()\n        loss.backward()\n        opt.step()\n    print(epoch, loss.item())\nwith torch.no_grad():\n    for i in range(30): z = net(X)",
    "two optimizers": "a, b = nn.Linear(3, 3), nn.Linear(3, 3)\noa, ob = torch.optim.Adam(a.parameters()), torch.optim.Adam(b.parameters())\nfor i in range(100):\n    oa.zero_grad(); ob.zero_grad()\n    z = a(torch.ones(1, 3))\n    b(z.detach()).sum().backward()\n    ob.step()\n    b(z).pow(2).sum().backward()\n    oa.step()",
    "until it is good enough": "w = torch.tensor([3., 1.], requires_grad=True)\nwhile True:\n    l = (w * w).sum()\n    l.backward()\n    with torch.no_grad():\n        w -= 0.001 * w.grad\n        w.grad = None\n    if l < 3.2: break\nprint(l)",
    "numbers written in place": "w = torch.tensor(3., requires_grad=True)\nfor i in range(200):\n    l = (w * w - 2) ** 2 * w.sin()\n    l.backward()\n    with torch.no_grad():\n        w -= 0.01 * w.grad\n        w.grad.zero_()",
    "gradients that add up": "w = torch.tensor([3., 1.], requires_grad=True)\nfor i in range(200):\n    (w * w).sum().backward()\nprint(w.grad)",
    "buffers": "net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))\nopt = torch.optim.RMSprop(net.parameters(), lr=.01)\nfor i in range(60):\n    opt.zero_grad(set_to_none=False)\n    loss = net(torch.randn(8, 4)).pow(2).mean()\n    loss.backward()\n    opt.step()",
    "in a function": "w = torch.randn(3, requires_grad=True)\ndef step(i):\n    x = (w * 3).mul_(2)\n    y = x[1:] * x[:-1]\n    y[0] = 3.\n    l = y.sum()\n    l.backward()\n    w.data.sub_(w.grad, alpha=1e-3)\n    w.grad = None\nfor i in range(150): step(i)",
    "without a loop": "w = torch.randn(3, requires_grad=True)\ndef go(n):\n    (w * w).sum().backward()\n    w.data -= 0.01 * w.grad\n    if n: go(n - 1)\ngo(150)",
    "passes through passes": "w = torch.randn(3, requires_grad=True)\nw.register_hook(lambda g: g * 2)\nfor i in range(150):\n    (g,) = torch.autograd.grad((w ** 3).sum(), w, create_graph=True)\n    g.sum().backward()\n    with torch.no_grad(): w.copy_(w * 0.99)",
    "views of memory that is written": "b = torch.zeros(6)\nw = torch.ones(6, requires_grad=True)\nfor i in range(120):\n    v = b[i % 3: i % 3 + 3]\n    (v * w[:3]).sum().backward()\n    v += w.detach()[:3] * 0.1\n    w.grad *= 0.5",
    "closures": "w = torch.randn(5, requires_grad=True)\no = torch.optim.LBFGS([w], max_iter=5)\ndef c():\n    o.zero_grad()\n    l = ((w - 1) ** 4).sum()\n    l.backward()\n    return l\nfor i in range(80): o.step(c)",
}
ALL = Limits(document_bytes=10**9, ops=10**7, events=10**7, total_bytes=1 << 40)


def data(document: dict[str, Any], ref: Any) -> Any:
    if isinstance(ref, list):
        return [data(document, item) for item in ref]
    value = None if ref is None else document["values"][ref]
    return None if value is None else value["stats"] if value["data"] is None else value["data"]


def last_pass(document: dict[str, Any]) -> list[Any]:
    """Number of the last pass, and what every node of it received, returned and had saved; what leaves got."""
    events, nodes = document["events"], {n["id"]: n for n in document["nodes"]}
    call = [event["call"] for event in events if event["kind"] == "backward"][-1]
    told: list[Any] = [call]
    for event in events:
        if event["kind"] == "node" and event["call"] == call:
            node = nodes[event["node"]]
            saved = {name: data(document, ref) for name, ref in node["saved"].items()}
            gradients = [data(document, event[key]) for key in ("grad_outputs", "grad_inputs")]
            told.append((node["name"], node["line"], gradients, saved))
        elif event["kind"] == "accumulate" and event["call"] == call:
            told.append([data(document, event[key]) for key in ("before", "incoming", "after")])
    return told


def at_the_end(document: dict[str, Any]) -> dict[str, Any]:
    tensors = {t["id"]: t for t in document["tensors"]}
    named = {name: tensors[ref] for name, ref in document["globals"].items()}
    return {n: (data(document, t["final"]), data(document, t["grad"]), t["version"]) for n, t in named.items()}


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS.keys())
def test_the_last_pass_and_the_end_are_those_of_the_whole_run(loop: str) -> None:
    whole = engine.run(code=HEAD + loop, limits=ALL, seed=0).document
    cut = engine.run(code=HEAD + loop, limits=Limits(document_bytes=400_000), seed=0).document
    assert whole["limits"]["skipped"] is None and cut["limits"]["truncated"] == "document_bytes"
    assert last_pass(cut) == last_pass(whole)
    assert at_the_end(cut) == at_the_end(whole)
    assert cut["stdout"] == whole["stdout"]
    assert "".join(event["text"] for event in cut["events"] if event["kind"] == "print") == cut["stdout"]
    assert not violations(cut)
    assert encoded(cut) <= 400_000
    told, missing = cut["limits"]["recorded"], cut["limits"]["skipped"]
    for name in ("ops", "passes"):
        assert told[name] + missing[name] == whole["limits"]["recorded"][name]
    first = next(i for i, event in enumerate(cut["events"]) if event["kind"] == "gap")
    assert any(event["kind"] == "backward_end" for event in cut["events"][:first])


PREPARATION = {
    "rows": "rows = [torch.tensor([[i % 7, 1.]]).view(2).float() for i in range(900)]\nfor i in range(60):\n    (rows[i] * w).sum().backward()\n    with torch.no_grad(): w -= 0.01 * w.grad",
    "memory that the loop writes": "b = torch.zeros(2)\nfor i in range(900): v = b[:] * 2\nfor i in range(60):\n    b[i % 2] += 1\n    (b * w).sum().backward()\n    w.grad.mul_(0.5)",
    "a pass before the loop": "for i in range(900): v = w * 2\nv.sum().backward()\nfor i in range(60): (w * i).sum().backward()",
    "a loop that fails": "for i in range(900): v = w * 2\nfor i in range(60):\n    (w * i).sum().backward()\n    if i == 30: w @ torch.ones(3)",
}


@pytest.mark.parametrize("rest", PREPARATION.values(), ids=PREPARATION)
def test_preparation_gives_way_to_the_first_passes_of_a_loop(rest: str) -> None:
    program = HEAD + "w = torch.tensor([3., 1.], requires_grad=True)\n" + rest
    whole = engine.run(code=program, limits=ALL, seed=0).document
    cut = engine.run(code=program, limits=Limits(document_bytes=200_000), seed=0).document
    passes = [event["call"] for event in cut["events"] if event["kind"] == "backward"]
    first = 1 if "v.sum()" in rest else 0
    assert passes[:2] == [first, first + 1] and cut["limits"]["truncated"] == "document_bytes"
    assert last_pass(cut) == last_pass(whole)
    assert at_the_end(cut) == at_the_end(whole) and not violations(cut)
    assert encoded(cut) <= 200_000
    told, missing = cut["limits"]["recorded"], cut["limits"]["skipped"]
    for name in ("ops", "passes"):
        assert told[name] + missing[name] == whole["limits"]["recorded"][name]


@pytest.mark.parametrize(
    ("limit", "most"), [("ops", 60), ("events", 200), ("document_bytes", 100_000), ("total_bytes", 20_000)]
)
def test_truncated_names_the_limit_that_ended_recording(limit: str, most: int) -> None:
    loop = HEAD + LOOPS["gradients that add up"].replace("[3., 1.]", "[3., 1.] * 20")
    found = engine.run(code=loop, limits=Limits(**{limit: most}), seed=0).document
    assert found["error"] is None and found["limits"]["truncated"] == limit
    if limit in ("ops", "events"):
        assert len(found[limit]) <= most + 20


def test_a_run_that_just_fits_is_whole() -> None:
    program = HEAD + "x = torch.ones(2)\nfor i in range(95): x = x * 2"
    found = engine.run(code=program, limits=Limits(ops=100), seed=0).document
    assert (found["limits"]["truncated"], found["limits"]["ops"], found["limits"]["skipped"]) == (None, 95, None)


def test_what_was_followed_from_the_beginning_is_not_lost() -> None:
    program = (
        HEAD
        + "x = torch.ones(2, requires_grad=True)\ny = x\nfor i in range(9): y = y * 2\nprint(y)\ny.sum().backward()"
    )
    found = engine.run(code=program, limits=Limits(ops=1, events=100), seed=0).document
    told, missing = found["limits"]["recorded"], found["limits"]["skipped"]
    assert (told["ops"] + missing["ops"], told["passes"] + missing["passes"]) == (10, 1)
    assert "".join(event["text"] for event in found["events"] if event["kind"] == "print") == found["stdout"]


def test_an_error_after_recording_has_its_place() -> None:
    program = HEAD + LOOPS["gradients that add up"] + "\nw.backward()"
    found = engine.run(code=program, limits=Limits(document_bytes=60_000), seed=0).document
    assert found["status"] == "error" and found["events"][-1] == {"kind": "error"}
    assert found["error"]["line"] == 7


ALIVE = {
    "x = torch.zeros(500)": None,
    "x = torch.zeros(500); x.me = x": None,
    "x = torch.ones(500) * 2": None,
    "x = np.zeros(250)": None,
    "kept.append(torch.zeros(500))": 6,
    "kept.append((torch.ones(500) * 2,))": 6,
}


@pytest.mark.parametrize(("statement", "line"), ALIVE.items())
def test_memory_is_counted_while_it_is_alive(statement: str, line: int | None) -> None:
    program = (
        f"import torch\nimport numpy as np\nfrom torch import nn\nkept = []\nfor i in range(300):\n    {statement}"
    )
    found = engine.run(code=program, limits=Limits(total_bytes=100_000), seed=0).document
    error = found["error"] or {"type": None, "line": None}
    assert (error["type"], error["line"]) == ("LimitExceeded" if line else None, line)


def test_a_graph_is_alive_as_long_as_its_result() -> None:
    program = HEAD + "x = torch.ones(500, requires_grad=True)\ny = x\nfor i in range(300):\n    y = y.sin()"
    found = engine.run(code=program, limits=Limits(total_bytes=100_000), seed=0).document
    assert found["error"]["type"] == "LimitExceeded" and found["error"]["line"] == 6
    freed = program.replace("y = y.sin()", "y = x.sin()")
    assert engine.run(code=freed, limits=Limits(total_bytes=100_000), seed=0).document["error"] is None


SKIPPED = {
    "a loop of known length": "for i in range(300): (w * w).sum().backward()",
    "an error that the program does not catch": "for i in range(300):\n    (w * w).sum().backward()\n    if i == 150: torch.ones(2) + torch.ones(3)",
    "an error that it catches": "try:\n    for i in range(300):\n        (w * w).sum().backward()\n        if i == 150: torch.ones(2) + torch.ones(3)\nexcept RuntimeError: pass",
    "a pass in a function": "def step(i):\n    (w * w).sum().backward()\n    if i == 150: raise ValueError(i)\nfor i in range(300): step(i)",
    "loops in loops": "for i in range(9):\n    for j in range(40): (w * w).sum().backward()",
    "a loop over a list": "for i in [*range(300)]: (w * w).sum().backward()",
    "a Function": "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        for i in range(3): x = x * 2\n        return x\n    @staticmethod\n    def backward(ctx, g): return g * 8\nfor i in range(300): F.apply(w).sum().backward()",
    "modes": "for i in range(300):\n    with torch.no_grad(): w * 2\n    (w * w).sum().backward()\n    with torch.no_grad():\n        for k in range(2): w.mul_(0.99)",
    "evaluation after training": "for i in range(300): (w * w).sum().backward()\nfor i in range(300): w.sum()",
}


@pytest.mark.parametrize("loop", SKIPPED.values(), ids=SKIPPED)
def test_turns_that_are_skipped_change_nothing_else(loop: str) -> None:
    program = HEAD + "w = torch.tensor([3., 1.], requires_grad=True)\n" + loop
    whole = engine.run(code=program, limits=ALL, seed=0).document
    cut = engine.run(code=program, limits=Limits(document_bytes=40_000), seed=0).document
    assert cut["limits"]["truncated"] and last_pass(cut) == last_pass(whole)
    assert at_the_end(cut) == at_the_end(whole) and not violations(cut)
    told, missing = cut["limits"]["recorded"], cut["limits"]["skipped"]
    for name in ("ops", "passes"):
        assert told[name] + missing[name] == whole["limits"]["recorded"][name]
    for name in ("line", "message"):
        assert (cut["error"] or {}).get(name) == (whole["error"] or {}).get(name)


def test_turns_in_the_middle_of_a_known_number_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int | None] = []
    op = Recorder.op
    monkeypatch.setattr(Recorder, "op", lambda self, *rest: (seen.append(self.scope.iteration), op(self, *rest))[1])
    program = HEAD + "w = torch.tensor([3., 1.], requires_grad=True)\nfor i in range(500): (w * w).sum().backward()"
    engine.run(code=program, limits=Limits(document_bytes=40_000), seed=0)
    assert seen[-1] == 499 and 498 in seen and 300 not in seen


def test_of_a_turn_that_is_only_counted_nothing_is_gathered_along_the_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[Any, ...]] = []
    count = Skipping.node

    def node(self: Skipping, *given: Any) -> None:
        told.append(given[2:5])
        count(self, *given)

    program = HEAD + LOOPS["adam on two numbers"].replace("range(300)", "range(3000)")
    expected = engine.run(code=program, seed=0).document
    monkeypatch.setattr(Skipping, "node", node)
    assert engine.run(code=program, seed=0).document == expected
    assert len(told) > 1000
    assert set(told) == {((), (), ())}


def test_turns_that_nobody_will_see_make_no_scopes(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    class Counted(recorder.Scope):
        __slots__ = ()

        def __init__(self, parent: Any, kind: str, label: str, line: int | None, iteration: int | None) -> None:
            made.append(kind)
            super().__init__(parent, kind, label, line, iteration)

    monkeypatch.setattr(recorder, "Scope", Counted)
    program = (
        HEAD + "net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())\ndef norm():\n    with torch.no_grad():\n"
        "        return sum([float(p.sum()) for p in net.parameters()])\n"
        "for t in range(400):\n    net(torch.ones(1, 2)).sum().backward()\n    for p in net.parameters(): p.grad = None\n    norm()"
    )
    document = engine.run(code=program, seed=0, limits=Limits(ops=60, events=500)).document
    assert document["limits"]["skipped"]["passes"] > 350
    assert made.count("loop") < 500 and all([made.count(kind) < 150 for kind in ("module", "function", "no_grad")])
    last = [scope for scope in document["scopes"] if scope["label"] == "for t"][-1]
    inside = {scope["label"] for scope in document["scopes"] if scope["parent"] == last["id"]}
    assert last["iteration"] == 399 and {"Sequential", "norm"} <= inside


def test_of_a_loop_that_is_followed_only_turns_in_which_something_happens_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[int | None] = []
    enter = Recorder.enter

    def entered(self: Recorder, kind: str, label: str, line: int | None, *turn: Any) -> None:
        if label == "for k":
            told.append(turn[0])
        enter(self, kind, label, line, *turn)

    monkeypatch.setattr(Recorder, "enter", entered)
    program = (
        HEAD + "x = y = torch.tensor(1., requires_grad=True)\nfor i in range(900): y = y * 1.001\n"
        "for k in range(900):\n    if k % 300 == 7: y = y * 2\ny.backward()"
    )
    document = engine.run(code=program, limits=Limits(document_bytes=40_000), seed=0).document
    assert document["limits"]["truncated"] and told == [7, 307, 607]
    assert [s["iteration"] for s in document["scopes"] if s["label"] == "for k"] == told
    assert at_the_end(document)["x"][1] == pytest.approx(8 * 1.001**900, rel=1e-3)


def test_of_a_pass_that_is_only_counted_to_its_end_nothing_is_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    gathered: list[bool] = []
    node = Recorder.node

    def told(self: Recorder, ran: Any, *rest: Any) -> None:
        gathered.append(bool(rest[0] or rest[2]))
        node(self, ran, *rest)

    monkeypatch.setattr(Recorder, "node", told)
    program = (
        HEAD + "x = y = torch.tensor(1., requires_grad=True)\nfor i in range(900): y = y * 1.001\n"
        "y.backward()\nz = x * 2\nz.backward()"
    )
    document = engine.run(code=program, limits=Limits(document_bytes=40_000), seed=0).document
    first, second = gathered[:901], gathered[901:]
    assert first.count(True) < 100 and not any(first[100:900]) and second == [True, True]
    assert document["limits"]["recorded"]["passes"] + document["limits"]["skipped"]["passes"] == 2
    assert last_pass(document)[0] == 1 and len(last_pass(document)) == 4
