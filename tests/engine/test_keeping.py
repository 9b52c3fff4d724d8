"""What nodes keep for their gradients, as the document tells it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import engine
from engine.document import keeping
from engine.limits import Limits


def _run(code: str) -> dict[str, Any]:
    document = engine.run(code="import torch\nfrom torch import nn\n" + code, seed=0).document
    assert document["error"] is None, document["error"]
    return document


def _keeps(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for node in document["nodes"]:
        found.setdefault(node["name"], []).extend(node.get("keeps", []))
    return found


def _times(document: dict[str, Any], kind: str, **fields: Any) -> list[int]:
    wanted = {"kind": kind, **fields}.items()
    return [i for i, event in enumerate(document["events"]) if all(event.get(k) == v for k, v in wanted)]


def _storages(document: dict[str, Any]) -> dict[str, tuple[int, str, str | None]]:
    names = {row["id"]: row["name"] for row in document["tensors"]}
    return {s["id"]: (s["bytes"], s["kind"], names.get(s["tensor"])) for s in document["storages"]}


def test_a_node_says_which_tensors_it_keeps_and_where_they_lie() -> None:
    document = _run("x = torch.ones(3, 2)\nw = torch.ones(2, 4, requires_grad=True)\ny = (x @ w).exp()\n")
    keeps, storages = _keeps(document), _storages(document)
    (x,) = keeps["MmBackward0"]
    assert (x["name"], x["shape"], x["dtype"], x["bytes"]) == ("self", [3, 2], "float32", 24)
    assert storages[x["storage"]] == (24, "input", "x")
    (y,) = keeps["ExpBackward0"]
    assert y["name"] == "result" and storages[y["storage"]] == (48, "activation", "y")


def test_a_storage_counts_once_however_many_nodes_keep_it() -> None:
    document = _run(
        "x = torch.ones(6, requires_grad=True)\na = x.view(2, 3).sin()\nb = x[:2].cos()\nc = x.tanh() * x\n"
    )
    keeps, storages = _keeps(document), _storages(document)
    one = {keeps[name][0]["storage"] for name in ("SinBackward0", "CosBackward0")}
    assert len(one) == 1 and storages[one.pop()] == (24, "parameter", "x")
    assert keeps["CosBackward0"][0]["bytes"] == 8  # of the view alone
    assert keeps["TanhBackward0"][0]["storage"] in {row["storage"] for row in keeps["MulBackward0"]}


def test_numbers_shapes_and_flags_take_no_memory() -> None:
    document = _run("x = torch.ones(3, requires_grad=True)\ny = (x * 2 + 1).sum() / 3\n")
    assert not any(_keeps(document).values()) and "storages" not in document


def test_a_number_of_no_dimension_has_a_storage_that_its_aliases_share() -> None:
    document = _run("x = torch.tensor(2.0, requires_grad=True)\ny = x.exp()\nz = y * x\nw = y.detach()\nv = z * w\n")
    keeps, storages = _keeps(document), _storages(document)
    result = keeps["ExpBackward0"][0]["storage"]
    assert storages[result] == (4, "activation", "y")
    assert {row["storage"] for row in keeps["MulBackward0"]} >= {result}
    assert sum(bytes for bytes, _, _ in storages.values()) == 8


def test_what_a_module_computes_is_an_activation_and_what_it_holds_is_not() -> None:
    document = _run(
        "net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))\nx = torch.randn(4, 2)\ny = net(x)\n"
    )
    kinds = {name: kind for _, kind, name in _storages(document).values() if name is not None}
    assert kinds == {
        "x": "input", "net.1.weight": "parameter", "net.1.running_mean": "buffer", "net.1.running_var": "buffer"
    }  # fmt: skip
    (mask,) = _keeps(document)["MulBackward0"]
    assert _storages(document)[mask["storage"]][:2] == (48, "activation")


FUNCTION = """
class Mask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mask = x > 0
        ctx.factors = [2, torch.ones(5)]
        out = x * ctx.mask
        ctx.save_for_backward(x, out, None)
        return out

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask

x = torch.ones(3, requires_grad=True)
y = Mask.apply(x)
y.sum().backward()
"""


def test_a_custom_function_keeps_what_it_saved_and_what_hangs_on_its_ctx() -> None:
    document = _run(FUNCTION + "y = x * 2\nx = y\n")
    (node,) = [row for row in document["nodes"] if row["name"] == "MaskBackward"]
    named = {row["name"]: row["bytes"] for row in node["keeps"]}
    assert named == {"saved_tensors[0]": 12, "saved_tensors[1]": 12, "ctx.mask": 3, "ctx.factors[1]": 20}
    released, gone = _times(document, "release")[0], _times(document, "bind", name="y")[1]
    assert released < gone
    assert node["freed"] == gone  # not when it is released, but when nothing leads to it any more


def test_a_write_keeps_a_copy_of_what_it_overwrites() -> None:
    document = _run(
        "a = torch.ones(3, requires_grad=True)\nb = torch.ones(3, requires_grad=True)\nc = a.exp()\nc = c * 1\n"
        "c.mul_(b)\nc.sum().backward()\n"
    )
    kept = [row for row in _keeps(document)["MulBackward0"] if row["name"] == "self"]
    assert [row["tensor"] for row in kept] == [None] and kept[0]["bytes"] == 12


def test_a_write_through_a_view_frees_what_it_keeps_with_the_node_of_its_base() -> None:
    document = _run(
        "a = torch.ones(3, requires_grad=True)\nc = torch.zeros(2, 3) * a\nc[0].mul_(a)\nc.sum().backward()\n"
    )
    (writer,) = [row for row in document["nodes"] if "freed" in row]
    assert [kept["name"] for kept in writer["keeps"]] == ["other", "self"]
    event = document["events"][writer["freed"]]
    (copies,) = [row["id"] for row in document["nodes"] if row["name"] == "CopySlices"]
    assert event["kind"] == "release" and event["node"] == copies


LOOP = """
w = torch.ones(4, requires_grad=True)
for i in range(3):
    loss = w.exp().sum()
    loss.backward(retain_graph=True)
"""


def test_a_graph_that_was_retained_is_freed_when_nothing_leads_to_it() -> None:
    document = _run(LOOP)
    nodes = [row for row in document["nodes"] if row["name"] == "ExpBackward0"]
    bound = _times(document, "bind", name="loss")
    assert [row.get("freed") for row in nodes] == [bound[1], bound[2], None]  # the last one is still there


def test_what_a_list_holds_in_the_end_was_never_freed() -> None:
    document = _run(LOOP.replace("for i", "kept = []\nfor i") + "    kept.append(loss)\n")
    assert not any("freed" in row for row in document["nodes"])


def test_a_graph_without_a_pass_is_freed_after_its_last_use() -> None:
    document = _run("w = torch.ones(4, requires_grad=True)\nprint(w.exp().sum().item())\nx = w + 1\ny = x * 1\n")
    (node,) = [row for row in document["nodes"] if row["name"] == "ExpBackward0"]
    assert node["freed"] <= next(i for i, event in enumerate(document["events"]) if event.get("name") == "x")


PASS = "y.sum().backward()\n"


def test_hooks_that_pack_decide_what_is_kept() -> None:
    code = "w = torch.ones(4, requires_grad=True)\nwith torch.autograd.graph.saved_tensors_hooks(PACK, lambda x: x):\n"
    code += "    y = w.exp()\n"
    assert "storages" not in _run(code.replace("PACK", "lambda t: t.numpy().tolist() if False else 0"))
    assert "storages" not in _run(code.replace("PACK", "lambda t: 0").replace("lambda x: x", "lambda x: w") + PASS)
    (kept,) = _keeps(_run(code.replace("PACK", "lambda t: (t.half(), 3)")))["ExpBackward0"]
    assert (kept["dtype"], kept["bytes"]) == ("float16", 8)


def test_the_end_of_a_long_run_says_what_it_keeps() -> None:
    code = LOOP.replace("range(3)", "range(50)").replace("retain_graph=True", "").replace("w.exp", "(w * w).exp")
    document = engine.run(code="import torch" + code, limits=Limits(ops=60)).document
    assert document["limits"]["truncated"] == "ops"
    last = document["nodes"][-1]
    kept = [row for row in document["nodes"] if row["name"] == "MulBackward0"]
    assert last and all([one["bytes"] for one in row["keeps"]] == [16, 16] for row in kept)
    (w,) = {one["storage"] for row in kept for one in row["keeps"]}
    assert _storages(document)[w] == (16, "parameter", "w")


def test_an_op_on_inference_tensors_alone_has_no_node() -> None:
    document = _run(
        "with torch.inference_mode():\n    c = torch.ones(3, requires_grad=True)\n"
        "k = torch.ones(3)\na, b, d = c * c, c.exp(), c * k\n"
    )
    assert [op["node"] is None for op in document["ops"]] == [True, True, False]
    assert list(_keeps(document)) == ["MulBackward0", "AccumulateGrad"]


class _Walked(list[Any]):
    """A list that counts how often it is walked through."""

    walks = 0

    def __iter__(self) -> Iterator[Any]:
        self.walks += 1
        return super().__iter__()


def test_events_are_walked_through_no_more_often_in_a_long_run() -> None:
    walks = []
    for turns in (2, 50):
        document = _run(f"y = torch.ones((), requires_grad=True)\nfor i in range({turns}):\n    y = y.sin()\n")
        events = document["events"] = _Walked(document["events"])
        assert keeping.freed(document) == {}  # y leads to all of them
        walks.append(events.walks)
    assert walks[0] == walks[1]
