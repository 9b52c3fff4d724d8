"""The picture of a finding holds the numbers of its document, and is on its card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import engine
from tests.browser.conftest import Open
from tests.browser.visit import violations

BROKEN = Path(__file__).resolve().parents[1] / "findings" / "broken"

LENSES = """async (text) => {
    const parts = ["trace/files.js", "trace.js", "ui/book.js", "findings/lens.js"];
    const [{asOneListing}, {indexTrace}, {Book}, {lensOf}] = await Promise.all(
        parts.map(pageModule));
    const book = new Book(indexTrace(asOneListing(JSON.parse(text))));
    const spread = (_, x) => (x instanceof Set ? [...x] : x);
    return JSON.parse(JSON.stringify(book.doc.findings.map((finding) => lensOf(book, finding)), spread));
}"""


def flat(data: Any) -> Iterator[float]:
    if isinstance(data, list):
        for each in data:
            yield from flat(each)
    else:
        yield float(data)


class Told:
    """A broken program's finding, its picture and its document."""

    def __init__(self, page: Any, name: str) -> None:
        rule = name.rpartition("_")[0].replace("_", "-")
        self.code = (BROKEN / f"{name}.py").read_text("utf-8")
        self.document = engine.run(code=self.code, seed=0).document
        which = [finding["rule"] for finding in self.document["findings"]].index(rule)
        self.finding = self.document["findings"][which]
        self.lens = page.evaluate(LENSES, json.dumps(self.document))[which]

    def numbers(self, value: str | None) -> list[float]:
        """Those of a value."""
        return list(flat(self.document["values"][value]["data"]))

    def tensor(self, name: str) -> dict[str, Any]:
        return next(row for row in self.document["tensors"] if row["id"] == name)

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.document["events"] if event["kind"] == kind]


@pytest.mark.parametrize("which", range(1, 5))
def test_a_loss_that_broadcasts_shows_every_pair_and_those_that_were_meant(visit: Open, which: int) -> None:
    told = Told(visit().page, f"broadcast_loss_{which}")
    one, other = (told.tensor(t) for t in told.finding["evidence"]["tensors"])
    column, row = sorted((one, other), key=lambda tensor: -len(tensor["shape"]))
    down, across = (told.numbers(tensor["value"]) for tensor in (column, row))
    assert told.lens["shape"] == [len(down), len(across)] == told.finding["evidence"]["values"]["shapes"][-1]
    assert told.lens["meant"] == len(down)
    product = "torch.log" in told.code
    pairs = [a * b if product else a - b for a in down for b in across]
    assert [abs(x) for x in told.lens["cells"]] == pytest.approx([abs(x) for x in pairs], rel=1e-5, abs=1e-6)
    assert f"{len(pairs)} pairs" in told.lens["words"] and f"Only the {len(down)} " in told.lens["words"]


@pytest.mark.parametrize("which", range(1, 5))
def test_a_dead_relu_shows_what_went_in_and_the_zeros_that_came_out(visit: Open, which: int) -> None:
    told = Told(visit().page, f"dead_relu_{which}")
    op = next(op for op in told.document["ops"] if op["id"] == told.finding["evidence"]["ops"][-1])
    into, out = (told.numbers(told.tensor(t)["value"]) for t in (op["inputs"][0], op["outputs"][0]))
    before, after = told.lens["parts"]
    assert (before["cells"]["xs"], after["cells"]["xs"]) == (into, out)
    assert max(into) <= 0 and set(out) == {0.0}
    assert after["label"] == f"output, 0 in {len(out)} of {len(out)}"


@pytest.mark.parametrize("name", [f"{rule}_{which}" for rule in ("vanishing", "exploding") for which in (1, 2, 3)])
def test_norms_are_those_of_the_gradients(visit: Open, name: str) -> None:
    told = Told(visit().page, name)
    lens, evidence = told.lens, told.finding["evidence"]
    assert lens["norms"] == evidence["values"]["norms"]
    if not evidence["ops"]:
        first, last = (told.tensor(t)["name"] or told.tensor(t)["path"] for t in evidence["tensors"])
        assert (lens["from"], lens["to"]) == (last, first)
        reached = {event["tensor"]: event for event in reversed(told.events("accumulate"))}
        for tensor, norm in zip(evidence["tensors"], (lens["norms"][-1], lens["norms"][0]), strict=True):
            squares = sum(x * x for x in told.numbers(reached[tensor]["incoming"]))
            assert squares**0.5 == pytest.approx(norm, rel=1e-4)


@pytest.mark.parametrize(
    "name", [f"{rule}_{which}" for rule in ("accumulating", "shared_parameter") for which in (1, 2, 3)]
)
def test_gradients_that_were_added_stand_before_their_sum(visit: Open, name: str) -> None:
    told = Told(visit().page, name)
    *terms, total = [part["cells"]["xs"] for part in told.lens["parts"]]
    assert len(terms) == 2 and told.lens["signs"] == ["+", "="]
    assert total == pytest.approx([a + b for a, b in zip(*terms, strict=True)], rel=1e-5, abs=1e-6)
    known = [told.numbers(event[key]) for event in told.events("accumulate") for key in ("incoming", "after")]
    assert total in known


@pytest.mark.parametrize("which", range(1, 5))
def test_a_tensor_that_was_overwritten_is_shown_as_it_was_saved_and_as_it_is(visit: Open, which: int) -> None:
    told = Told(visit().page, f"inplace_overwrites_saved_{which}")
    old, now = told.lens["parts"]
    (name,) = told.finding["evidence"]["tensors"][:1]
    writes = [event for event in told.events("write") if event["tensor"] == name]
    version = int(now["label"].split(",")[0].removeprefix("version "))
    write = next(event for event in writes if event["version"] == version)
    assert f"written on line {write['line']}" in now["label"]
    assert now["cells"]["xs"] == told.numbers(write["value"])
    node = next(node for node in told.document["nodes"] if node["id"] == told.finding["evidence"]["nodes"][0])
    assert f"saved by {node['name']}" in old["label"]
    differ = [i for i, (a, b) in enumerate(zip(old["cells"]["xs"], now["cells"]["xs"], strict=True)) if a != b]
    assert differ and now["marked"] == differ
    assert (
        f"at version {version}; expected version {old['label'].split(',')[0].split()[1]}"
        in told.document["error"]["message"]
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_card_has_the_picture(visit: Open, scheme: str) -> None:
    page = visit(scheme=scheme)
    code = (BROKEN / "broadcast_loss_1.py").read_text("utf-8")
    assert not [address for address in page.requests if "findings/lens.js" in address]
    page.program(code)
    page.press("n")
    picture = page.page.locator("#ledger .finding .lens")
    expect(picture).to_contain_text("256 pairs")
    expect(picture.locator("rect.meant")).to_have_count(16 + 1)
    assert violations(page.page) == []
    page.press("ArrowRight")
    expect(picture).to_have_count(1)
