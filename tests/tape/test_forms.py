"""Programs that bring autograd of their own, in many forms: their nodes are drawn, with PyTorch's numbers beside."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import engine
from app.schema import RunDocument

FORMS = sorted(Path(__file__).parent.glob("forms/*.py"))
X, Y, PRODUCT, SUM, SINE = 0.5, 4.2, 2.1, 2.579425538604203, 0.479425538604203
GRADIENTS = {"x": 5.077582561890373, "y": 0.5, "z": 1.0}
"""What PyTorch 2.13 gives for z = x * y + sin(x) at x = 0.5, y = 4.2."""
OTHERS = {
    "arrays": {"x": [5.077582561890373, -1.4596976941318602], "y": [0.5, 1.0], "z": [1.0, 1.0]},
    "by_hand": {"a": -2.0, "b": 2.0, "c": 1.0, "d": 1.0},
}


def run(code: str) -> dict[str, Any]:
    return engine.run(code=code, seed=0).document


@pytest.fixture(scope="module", params=FORMS, ids=lambda path: path.stem)
def form(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return request.param.stem, run(request.param.read_text())


def test_there_are_many() -> None:
    assert len(FORMS) >= 20


def test_its_gradients_are_those_of_pytorch(form: tuple[str, dict[str, Any]]) -> None:
    name, document = form
    RunDocument.model_validate({"id": "", **document}, extra="forbid")
    assert document["error"] is None
    numbers = {key: value["data"] for key, value in document["values"].items()}
    named = {t["name"]: t for t in document["tensors"] if t["name"]}
    wanted = OTHERS.get(name, GRADIENTS)
    beside = {row["tensor"]: row for row in document["tape"]["gradients"]}
    for variable, gradient in wanted.items():
        tensor = named[variable]
        assert numbers[tensor["grad"]] == pytest.approx(gradient, rel=1e-12)
        assert numbers[beside[tensor["id"]]["torch"]] == pytest.approx(gradient, rel=1e-12)
    assert all(row["agrees"] for row in beside.values())
    assert not document["tape"]["slips"]
    assert not document.get("findings")


def test_its_graph_is_that_of_pytorch(form: tuple[str, dict[str, Any]]) -> None:
    name, document = form
    names = sorted(node["name"] for node in document["nodes"])
    sine = [] if name == "by_hand" else ["SinBackward0"]
    assert names == sorted(["AccumulateGrad", "AccumulateGrad", "AddBackward0", "MulBackward0", *sine])
    nodes = {node["id"]: node for node in document["nodes"]}
    (root,) = [node for node in nodes.values() if node["name"] == "AddBackward0"]
    below = {nodes[edge[0]]["name"] for edge in root["next_functions"]}
    assert below == ({"MulBackward0", "AccumulateGrad"} if name == "by_hand" else {"MulBackward0", "SinBackward0"})


def test_gradients_land_in_the_order_of_the_program(form: tuple[str, dict[str, Any]]) -> None:
    name, document = form
    numbers = {key: value["data"] for key, value in document["values"].items()}
    names = {t["id"]: t["name"] for t in document["tensors"]}
    leaf_of = {n["id"]: names[n["variable"]] for n in document["nodes"] if n["variable"]}
    (begin,) = [i for i, event in enumerate(document["events"]) if event["kind"] == "backward"]
    (end,) = [i for i, event in enumerate(document["events"]) if event["kind"] == "backward_end"]
    (printed,) = [i for i, event in enumerate(document["events"]) if event["kind"] == "print"]
    assert begin < end < printed
    twice = "a" if name == "by_hand" else "x"
    arrivals = [
        (send["arrived"], send["expected"], numbers[send["sum"]])
        for event in document["events"]
        if event["kind"] == "node"
        for send in event["sends"]
        if leaf_of.get(send["to"]) == twice
    ]
    total = OTHERS.get(name, GRADIENTS)[twice]
    counts = [(1, 3), (2, 3), (3, 3)] if len(arrivals) == 3 else [(1, 2), (2, 2)]
    assert [arrival[:2] for arrival in arrivals] == counts
    assert arrivals[-1][2] == pytest.approx(total, rel=1e-12)
    landed = [(i, e) for i, e in enumerate(document["events"]) if e["kind"] == "accumulate"]
    last = {
        leaf_of[send["to"]]: i
        for i, event in enumerate(document["events"])
        if event["kind"] == "node"
        for send in event["sends"]
        if send["to"] in leaf_of
    }
    assert all(i > last[names[event["tensor"]]] for i, event in landed)
    assert all(event["before"] is None for _, event in landed)


def test_every_node_runs(form: tuple[str, dict[str, Any]]) -> None:
    name, document = form
    ran = [event["node"] for event in document["events"] if event["kind"] == "node"]
    assert set(ran) == {node["id"] for node in document["nodes"]}
    if name not in ("recursion", "dependencies", "namedtuples", "collecting", "pulling", "merging", "returning"):
        assert len(ran) == len(set(ran))


def test_where_it_stores_is_told(form: tuple[str, dict[str, Any]]) -> None:
    name, document = form
    lines = document["source"]["code"].splitlines()
    told = [event["line"] for event in document["events"] if event["kind"] == "node" and event.get("line")]
    assert told
    if document["tape"]["gradient"]:
        stored = re.compile(rf"""[.["]{document["tape"]["gradient"]}\b""")
        assert all(stored.search(lines[line - 1]) for line in told)
    if name == "graph_first":
        assert {op["line"] for op in document["ops"]} == {39}  # where values come
    elif name != "namedtuples":  # whose functions compute before they make a node
        assert {op["line"] for op in document["ops"]} <= {
            i for i, line in enumerate(lines, 1) if not line.startswith(" ")
        }


def test_what_is_only_returned_is_drawn_for_each_pass() -> None:
    code = (Path(__file__).parent / "forms/returning.py").read_text()
    classes = code[: code.index("x, y = ")]
    ends = "        return [(self.name, seed)]"
    assert ends in classes
    one = classes.replace(ends, "        return seed").replace(
        "def gradients(self, seed)", "def grad(self, leaf, seed=1.0)"
    )
    one = one.replace("return seed", "return seed if self is leaf else 0.0").replace(".gradients(", ".grad(leaf, ")
    document = run(
        one + 'x, y = Var("x", 0.5), Var("y", 4.2)\nz = Add(Mul(x, y), Sin(x))\nprint(z.grad(x), z.grad(y))\n'
    )
    assert document["stdout"] == "5.077582561890373 0.5\n"
    assert [event["kind"] for event in document["events"]].count("backward") == 2
    numbers = {key: value["data"] for key, value in document["values"].items()}
    named = {t["name"]: t for t in document["tensors"] if t["name"]}
    for name, gradient in GRADIENTS.items():
        assert numbers[named[name]["grad"]] == pytest.approx(gradient, rel=1e-12)
    assert all(row["agrees"] for row in document["tape"]["gradients"])


def test_a_function_beside_the_nodes_may_hand_gradients_on() -> None:
    code = """
import math


class Node:
    def __init__(self, value, parents=()):
        self.value, self.parents = value, parents


def mul(a, b):
    return Node(a.value * b.value, ((a, b.value), (b, a.value)))


def add(a, b):
    return Node(a.value + b.value, ((a, 1.0), (b, 1.0)))


def sin(a):
    return Node(math.sin(a.value), ((a, math.cos(a.value)),))


def back(upstream, node, leaf):
    if node is leaf:
        return upstream
    return sum(back(upstream * local, parent, leaf) for parent, local in node.parents)


x, y = Node(0.5), Node(4.2)
z = add(mul(x, y), sin(x))
print(back(1.0, z, x))
"""
    document = run(code)
    assert document["stdout"] == "5.077582561890373\n"
    assert len(document["nodes"]) == 5
    assert all(row["agrees"] for row in document["tape"]["gradients"])


MICRO = (Path(__file__).parent / "forms/closures.py").read_text()


def test_what_it_prints_is_what_it_prints_without() -> None:
    plain = "from __future__ import annotations\n" + MICRO.replace(
        "z.backward()", "print(id(x) == id(y), [x].index(x))\nz.backward()"
    )
    assert run(plain)["stdout"] == "False 0\n5.077582561890373 0.5\n"


def test_the_same_program_has_the_same_document() -> None:
    assert run(MICRO) == run(MICRO)


def test_a_constant_in_an_operation_is_no_leaf() -> None:
    document = run(MICRO.replace("z = x * y + x.sin()", "z = x * 2 + y"))
    leaves = [t["name"] for t in document["tensors"] if t["is_leaf"]]
    assert leaves == ["x", "y"]
    (product,) = [node for node in document["nodes"] if node["name"] == "MulBackward0"]
    assert product["next_functions"][1] is None


def test_updates_of_leaves_are_writes_and_zeros_are_told() -> None:
    loop = """
for step in range(3):
    x.grad = y.grad = 0.0
    z = x * y
    z.backward()
    for p in (x, y):
        p.data -= 0.1 * p.grad
    print(z.data)
"""
    document = run(MICRO[: MICRO.index("z = x * y")] + loop)
    kinds = [event["kind"] for event in document["events"]]
    assert kinds.count("backward") == 3
    assert kinds.count("write") == 6
    assert [event["by"] for event in document["events"] if event["kind"] == "grad" and event["by"] != "tape"] == [
        "zero_grad"
    ] * 4
    assert all(row["agrees"] for row in document["tape"]["gradients"])
    assert document["training"][0]["passes"] == 3


def test_parameters_have_the_names_that_lead_to_them() -> None:
    code = (
        MICRO[: MICRO.index("x = Value(0.5)")]
        + """
class Neuron:
    def __init__(self):
        self.w = [Value(0.5), Value(-1.0)]
        self.b = Value(0.25)

    def __call__(self, xs):
        total = self.b
        for w, x in zip(self.w, xs):
            total = total + w * x
        return total


class Net:
    def __init__(self):
        self.neurons = [Neuron(), Neuron()]


net = Net()
out = net.neurons[0]([1.0, 2.0]) * net.neurons[1]([3.0, -1.0])
out.backward()
"""
    )
    document = run(code)
    names = {t["name"] for t in document["tensors"] if t["is_leaf"]}
    assert names == {f"net.neurons[{i}].{what}" for i in (0, 1) for what in ("w[0]", "w[1]", "b")}
    assert all(row["agrees"] for row in document["tape"]["gradients"])


def test_an_operation_of_its_own_is_drawn_without_pytorchs_number() -> None:
    own = """
    def bump(self):
        out = Value(self.data * 3 + math.sin(self.data) ** 3, (self,), "bump")

        def _backward():
            self.grad += (3 + 3 * math.sin(self.data) ** 2 * math.cos(self.data)) * out.grad

        out._backward = _backward
        return out

    def backward(self):"""
    document = run(MICRO.replace("\n    def backward(self):", own).replace("x.sin()", "x.bump()"))
    assert {"bumpBackward"} < {node["name"] for node in document["nodes"]}
    names = {t["id"]: t["name"] for t in document["tensors"]}
    known = {names[row["tensor"]]: (row["torch"], row["agrees"]) for row in document["tape"]["gradients"]}
    assert known["x"] == (None, None)
    assert known["y"][1] is True
    assert not document["tape"]["slips"]


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.glob("others/*.py")), ids=lambda path: path.stem)
def test_what_is_no_tape_is_left_alone(path: Path) -> None:
    """Other programs store numbers one after the other, too."""
    document = run(path.read_text())
    assert document["error"] is None
    assert "tape" not in document
    assert not document["nodes"]


def test_a_fault_of_ours_costs_the_tape_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("engine.tape.runs.planned", lambda learner: 1 / 0)
    document = run(FORMS[0].read_text())
    assert "tape" not in document and document["error"] is None and document["stdout"]
    assert "own tape cannot be planned" in caplog.text


def test_programs_with_passes_of_pytorch_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine import running

    calls: list[str] = []
    execute = running.execute
    monkeypatch.setattr(running, "execute", lambda code, **given: calls.append(code) or execute(code, **given))
    run(
        "import torch\n\ndef f(x):\n    x.y = x * 2\n    return x.y\n\n"
        "f(torch.ones(2, requires_grad=True)).sum().backward()"
    )
    assert len(calls) == 1


def test_both_are_drawn_where_a_program_compares_them() -> None:
    code = (
        MICRO
        + """
import torch

p = torch.tensor(0.5, requires_grad=True)
q = torch.tensor(4.2, requires_grad=True)
r = p * q + p.sin()
r.backward()
print(p.grad.item(), q.grad.item())
"""
    )
    document = run(code)
    assert [event["kind"] for event in document["events"]].count("backward") == 2
    assert {"x", "y", "p", "q"} == {t["name"] for t in document["tensors"] if t["is_leaf"]}
    assert document["stdout"].startswith("5.077582561890373 0.5\n5.07758")
