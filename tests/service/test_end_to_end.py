"""The service with the real engine: from a program to its document and back."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from app.examples import load_examples
from app.schema import RunDocument

EXAMPLES = load_examples().menu.examples
SCALARS = EXAMPLES[0].code
LARGE = """\
import torch
torch.manual_seed(0)
x = torch.randn(40, 50, requires_grad=True)
y = (x * x).sum()
y.backward()
"""


def run(client: httpx.Client, code: str) -> dict[str, Any]:
    response = client.post("/v1/runs", json={"code": code})
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


def content(document: dict[str, Any]) -> dict[str, Any]:
    """A document without its id, which another store would give another."""
    return {**document, "id": ""}


def test_five_scalars(client: httpx.Client) -> None:
    document = run(client, SCALARS)
    tensors = {tensor["id"]: tensor for tensor in document["tensors"]}
    grads = {
        name: document["values"][tensors[tensor]["grad"]]["data"]
        for name, tensor in document["globals"].items()
        if tensors[tensor]["grad"] is not None
    }
    assert grads == {"a": 4.0, "b": 4.0, "d": 5.0}
    assert document["status"] == "ok" and document["stdout"].startswith("tensor(20., grad_fn=<MulBackward0>)\n")
    names = {node["id"]: node["name"] for node in document["nodes"]}
    ran = [names[event["node"]] for event in document["events"] if event["kind"] == "node"]
    assert ran == ["MulBackward0", "AccumulateGrad", "AddBackward0", "AccumulateGrad", "AccumulateGrad"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_every_example_gives_a_document_that_follows_the_schema(client: httpx.Client, example: Any) -> None:
    document = run(client, example.code)
    RunDocument.model_validate(document, extra="forbid")
    assert document["source"]["code"] == example.code
    json.dumps(document, allow_nan=False)


def test_a_program_that_raises_is_a_document_with_its_error(client: httpx.Client) -> None:
    document = run(client, "import torch\nx = torch.ones(2, requires_grad=True)\nx.backward()\n")
    assert document["status"] == "error"
    assert document["error"]["type"] == "RuntimeError" and document["error"]["line"] == 3
    assert document["error"]["message"] == "grad can be implicitly created only for scalar outputs"
    assert document["error"]["explanation"] and document["error"]["fix"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "def f(): return f()\nf()",
        "x = [0] * 10**12",
        "x = 9 ** 9 ** 9",
        "x = 'a' * 10**12",
        "import torch\ntorch.ones(10**7, 10**7)",
        "import torch\nx = torch.ones(1000, 1000)\nwhile True: x = x @ x",
        "try:\n    while True: pass\nexcept BaseException:\n    pass",
        "print('x' * 10**5)",
        "(" * 5000,
        "x = " + "-" * 20_000 + "1",
        "x = 1\n" * 5000,
        "import os",
        "open('/etc/passwd')",
        "().__class__.__bases__",
        "print('\\ud800')",
        "\x00",
        "é = 1\nprint(é)",
    ],
    ids=range(18),
)
def test_no_program_is_too_hostile_for_an_answer(client: httpx.Client, code: str) -> None:
    response = client.post("/v1/runs", json={"code": code})
    assert response.status_code in (200, 422), response.text
    if response.status_code == 200:
        RunDocument.model_validate(response.json(), extra="forbid")
    else:
        assert response.json()["fix"]
    assert run(client, SCALARS)["status"] == "ok"


def test_recursion_ends_before_a_workers_stack_does(client: httpx.Client) -> None:
    document = run(client, "import torch\nm = torch.nn.Sequential()\nm.add_module('m', m)\nm(torch.ones(2))")
    assert document["error"]["type"] == "RecursionError" and document["error"]["line"] == 4


def test_a_large_tensor_is_summarised_and_fetched(client: httpx.Client) -> None:
    document = run(client, LARGE)
    tensor = next(tensor for tensor in document["tensors"] if tensor["name"] == "x")
    summary = document["values"][tensor["grad"]]
    assert summary["data"] is None and summary["shape"] == [40, 50] and summary["stats"]
    grad = client.get(f"/v1/runs/{document['id']}/values/{tensor['grad']}").json()
    value = client.get(f"/v1/runs/{document['id']}/values/{tensor['value']}").json()
    assert grad["shape"] == [40, 50] and grad["dtype"] == "float32"
    assert all(
        g == pytest.approx(2 * v)
        for gs, vs in zip(grad["data"], value["data"], strict=True)
        for g, v in zip(gs, vs, strict=True)
    )


def test_a_value_that_was_not_stored_is_computed_again(serve: Any) -> None:
    with serve() as address, httpx.Client(base_url=address, timeout=30) as client:
        document = run(client, LARGE)
        name = next(tensor for tensor in document["tensors"] if tensor["name"] == "x")["value"]
        stored = client.get(f"/v1/runs/{document['id']}/values/{name}").json()
    with serve(values_mb=0, store="memory") as address, httpx.Client(base_url=address, timeout=30) as client:
        again = run(client, LARGE)["id"]
        assert client.get(f"/v1/runs/{again}/values/{name}").json() == stored


def test_an_unseeded_program_gives_the_same_numbers_again(client: httpx.Client, serve: Any) -> None:
    code = "import torch\nprint(torch.randn(3))\n"
    first = run(client, code)
    assert first["status"] == "ok"
    assert run(client, code + "\n")["stdout"] != first["stdout"]  # another program, other numbers
    with serve() as address, httpx.Client(base_url=address, timeout=30) as other:
        assert content(run(other, code)) == content(first)
        one, two = (
            other.post("/v1/runs", json={"code": code, "options": {"seed": seed}}).json()["stdout"] for seed in (1, 2)
        )
    assert len({first["stdout"], one, two}) == 3


def test_documents_do_not_depend_on_what_ran_before(client: httpx.Client, serve: Any) -> None:
    codes = [example.code for example in EXAMPLES[:12]]
    known = [content(run(client, code)) for code in codes]
    with serve(store="memory") as address, httpx.Client(base_url=address, timeout=30) as other:
        assert [content(run(other, code)) for code in reversed(codes)] == known[::-1]


def test_a_graph_is_the_same_as_its_program(client: httpx.Client) -> None:
    graph = {
        "tensors": {"x": {"data": [1.0, 2.0], "requires_grad": True}},
        "ops": [{"op": "mul", "inputs": ["x", "x"], "output": "y"}],
        "backward": [{"tensor": "y", "gradient": [0.1, 1.0]}],
    }
    document = client.post("/v1/runs", json={"graph": graph}).json()
    RunDocument.model_validate(document, extra="forbid")
    assert document["source"]["kind"] == "graph"
    x = next(tensor for tensor in document["tensors"] if tensor["name"] == "x")
    assert document["values"][x["grad"]]["data"] == [0.2, 4.0]


@pytest.mark.parametrize(
    ("graph", "pointer"),
    [
        ({"tensors": {"x": {"data": 1}}, "ops": [{"op": "nope", "inputs": ["x"], "output": "y"}]}, "/graph/ops/0/op"),
        ({"tensors": {"x": {"data": 1}}, "ops": [{"op": "add", "inputs": ["x", "z"], "output": "y"}]}, "/graph/ops/0/"),
        ({"tensors": {"1x": {"data": 1}}}, "/graph/tensors/1x"),
        ({"tensors": {"x": {"data": 1, "dtype": "float3"}}}, "/graph/tensors/x/dtype"),
        ({"tensors": {"x": {"data": 1}}, "backward": [{"tensor": "y"}]}, "/graph/backward/0/tensor"),
    ],
)
def test_a_graph_that_cannot_be_run_is_pointed_at(client: httpx.Client, graph: dict[str, Any], pointer: str) -> None:
    response = client.post("/v1/runs", json={"graph": graph})
    assert (response.status_code, response.json()["type"]) == (422, "/problems/invalid-input")
    assert response.json()["errors"][0]["pointer"].startswith(pointer)


def test_graphs_for_other_tools(client: httpx.Client) -> None:
    url = f"/v1/runs/{run(client, SCALARS)['id']}"
    assert client.get(f"{url}/graph.dot").text.startswith("digraph")
    assert client.get(f"{url}/graph.mmd").text.startswith("flowchart")


def test_names_that_no_file_can_hold_are_exported_all_the_same(client: httpx.Client) -> None:
    url = f"/v1/runs/{run(client, HALVES)['id']}"
    for export in ("graph.dot", "graph.mmd"):
        response = client.get(f"{url}/{export}")
        assert response.status_code == 200 and "a?b" in response.text


HALVES = """\
import torch
model = torch.nn.ModuleDict({"a\\ud800b": torch.nn.Linear(1, 1)})
model["a\\ud800b"](torch.ones(1)).sum().backward()
"""


def test_the_catalogue_lists_ops_with_their_formulas(client: httpx.Client) -> None:
    ops = client.get("/v1/ops").json()["ops"]
    mul = next(op for op in ops if op["name"] == "mul")
    assert mul["node"] == "MulBackward0" and mul["formula"]["self"]["text"]
    assert len(ops) > 200


def test_limits_are_those_of_the_engine(client: httpx.Client) -> None:
    limits = client.get("/v1/limits").json()
    assert limits["engine"]["fuel"]["value"] > 0 and limits["service"]["clock_time"]["unit"] == "seconds"
    assert limits["service"]["answer_unread"] == {"value": 30, "unit": "seconds", "setting": "BACKLIGHT_SEND_SECONDS"}


CHECKED = """\
import torch
w = torch.tensor([0.0, 2.0], requires_grad=True)
(w.relu() * 3).sum().backward()
"""


def test_a_gradient_is_checked_with_the_run_and_afterwards(client: httpx.Client) -> None:
    plain = run(client, CHECKED)
    answer = client.post("/v1/runs?check=w&check=nothing", json={"code": CHECKED})
    checked = answer.json()
    RunDocument.model_validate(checked, extra="forbid")
    assert checked["id"] != plain["id"] and "checks" not in plain
    assert [(c["tensor"], c["status"]) for c in checked["checks"]] == [("t0", "differs"), (None, "unchecked")]
    assert checked["checks"][0]["reason"]["op"] == "o0"
    assert {**plain, "id": "", "checks": checked["checks"]} == {**checked, "id": ""}

    alone = client.get(f"/v1/runs/{plain['id']}/checks/t0")
    assert alone.json() == {**checked["checks"][0], "asked": "t0"}
    assert client.get(f"/v1/runs/{plain['id']}/checks/t0@0").json()["call"] == 0
    again = client.get(f"/v1/runs/{checked['id']}/checks/t0")
    assert again.json() == alone.json()


@pytest.mark.parametrize("leaf", ["t99", "w", "%00", "t0@", "t" + "1" * 20, "v0"])
def test_a_leaf_that_is_not_there_cannot_be_checked(client: httpx.Client, leaf: str) -> None:
    response = client.get(f"/v1/runs/{run(client, CHECKED)['id']}/checks/{leaf}")
    assert (response.status_code, response.json()["type"]) == (404, "/problems/unknown-check")


@pytest.mark.parametrize("query", ["check=", "check=" + "w" * 201, "&".join(["check=w"] * 9), "check=%00"])
def test_what_is_asked_to_be_checked_is_looked_at(client: httpx.Client, query: str) -> None:
    response = client.post(f"/v1/runs?{query}", json={"code": CHECKED})
    assert (response.status_code, response.json()["type"]) == (422, "/problems/invalid-input")
