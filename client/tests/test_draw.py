"""A model's picture from a model and an input: what is in it, and that the model is left as it was."""

from __future__ import annotations

import io
import re
import sys
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import backlight
import pytest
import torch
from backlight.drawing.boxes import Level, level_of
from backlight.drawing.calls import calls_of
from torch import nn
from torch.nn import functional as F
from torch.utils.hooks import RemovableHandle


def level(model: nn.Module, *args: Any, depth: int | None = None, **kwargs: Any) -> Level:
    return level_of(calls_of(model, args, kwargs), depth)


def links(level: Level) -> set[tuple[str, str, str]]:
    names = [box.name for box in level.boxes]
    return {(names[link.source], names[link.target], link.shape) for link in level.links}


def texts(drawing: backlight.Drawing) -> list[str]:
    root = ElementTree.fromstring(drawing.svg)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


class Residual(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.fc = nn.Linear(size, size)
        self.drop = nn.Dropout(0.2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.drop(self.fc(self.norm(x)))


class Stack(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.h = nn.ModuleList(Residual(4) for _ in range(12))
        self.head = nn.Linear(4, 3, bias=False)

    def forward(self, tokens: torch.Tensor, scale: torch.Tensor | None = None) -> dict[str, Any]:
        x = self.embed(tokens)
        for block in self.h:
            x = block(x)
        return {"logits": self.head(x), "hidden": (x,)}


def test_a_network_is_told_with_shapes_attributes_and_parameters() -> None:
    model = nn.Sequential(
        nn.Conv2d(3, 8, 5, stride=2, bias=False), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 6 * 6, 10), nn.Dropout()
    )
    said = texts(backlight.draw(model, torch.zeros(2, 3, 16, 16)))
    assert said == [
        "2×3×16×16", "2×8×6×6", "2×8×6×6", "2×288", "2×10", "2×10",
        "input", "0", "Conv2d", "3 → 8", "kernel_size=5×5", "stride=2×2", "bias=False", "600 parameters",
        "1", "ReLU", "2", "Flatten", "3", "Linear", "288 → 10", "2,890 parameters", "4", "Dropout", "p=0.5", "output",
        "Sequential · 3,490 parameters",
    ]  # fmt: skip


def test_functions_between_modules_are_there_and_their_weights_told() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(4, 4)
            self.scale = nn.Parameter(torch.ones(4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            unused = x.exp()
            assert unused.shape == x.shape
            h = F.relu(self.fc(x.flatten(1)))
            h += x.flatten(1)
            return h * self.scale

    found = level(Net(), torch.zeros(2, 2, 2))
    assert links(found) == {
        ("x", "flatten", "2×2×2"), ("flatten", "fc", "2×4"), ("fc", "relu", "2×4"), ("relu", "+", "2×4"),
        ("flatten", "+", "2×4"), ("+", "×", "2×4"), ("×", "output", "2×4"),
        ("x", "flatten", "2×2×2"),
    }  # fmt: skip
    assert [box.lines for box in found.boxes if box.name == "×"] == [["scale 4"]]


def test_alike_parts_are_there_once_and_ways_around_can_be_seen() -> None:
    closed, opened = (
        level(Stack(), torch.zeros(2, 5, dtype=torch.long), depth=1),
        level(Stack(), torch.ones(1, 5).long()),
    )
    assert [(box.name, box.type) for box in closed.boxes] == [
        ("tokens", ""), ("embed", "Embedding"), ("h.0…11", "Residual ×12"), ("head", "Linear"), ("logits", ""),
        ("hidden[0]", ""),
    ]  # fmt: skip
    assert [box.around for box in closed.boxes] == [False, False, True, False, False, False]
    assert closed.boxes[2].parameters == "28 parameters each"
    assert ("tokens", "embed", "2×5 int64") in links(closed)
    assert opened.frames == [("h.0…11", "Residual ×12")]
    assert {
        ("embed", "norm", "1×5×4"),
        ("embed", "+", "1×5×4"),
        ("drop", "+", "1×5×4"),
        ("+", "head", "1×5×4"),
    } < links(opened)
    assert not any(box.around for box in opened.boxes)


def test_a_pattern_that_repeats_is_there_once() -> None:
    model = nn.Sequential(*[part for _ in range(4) for part in (nn.Linear(3, 3), nn.Tanh())])
    found = level(model, torch.zeros(1, 3))
    assert [box.name for box in found.boxes] == ["input", "0", "1", "output"]
    assert found.frames == [("0…7", "(Linear, Tanh) ×4")]
    assert links(found) == {("input", "0", "1×3"), ("0", "1", "1×3"), ("1", "output", "1×3")}
    inner = level(nn.Sequential(nn.Sequential(nn.Sequential(nn.Linear(3, 4), nn.Tanh()))), torch.zeros(1, 3))
    assert [box.name for box in inner.boxes] == ["input", "0.0.0", "0.0.1", "output"]
    other = level(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 5), nn.Tanh()), torch.zeros(1, 3))
    assert len(other.boxes) == 6 and not other.frames


class Many(nn.Module):
    def forward(self, a: torch.Tensor, pair: Any = None, *, mask: torch.Tensor | None = None) -> Any:
        return OrderedDict(sum=a + pair["b"] + pair["c"], rest=[a * mask, None, 3])


def test_inputs_and_outputs_are_called_as_the_model_calls_them(tmp_path: Path) -> None:
    one = torch.zeros(2)
    pair = {"b": one.clone(), "c": torch.zeros(1)}
    expected = {"a", "pair['b']", "pair['c']", "mask", "sum", "rest[0]"}
    for drawing in (
        backlight.draw(Many(), (one, pair), kwargs={"mask": torch.ones(2)}, title=""),
        backlight.draw(Many(), {"a": one, "pair": pair, "mask": torch.ones(2)}, title=""),
    ):
        assert {text for text in texts(drawing) if not re.match(r"\d|[+×]$", text)} == expected


@pytest.mark.parametrize(
    ("model", "args", "expected"),
    [
        (nn.LSTM(3, 5, num_layers=2), (torch.zeros(4, 1, 3),), "output[0]"),
        (nn.MultiheadAttention(4, 2), (torch.zeros(3, 1, 4),) * 3, "output[0]"),
        (nn.Identity(), (torch.zeros(3),), "output"),
        (nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 3), (torch.zeros(3, 1, 4),), "layers.0…2"),
        (torch.jit.script(nn.Linear(2, 2)), (torch.zeros(1, 2),), "output"),
        (nn.Sequential(nn.LazyLinear(3)), (torch.zeros(1, 2),), "2 → 3"),
        (torch.compile(nn.Linear(2, 2), backend="eager"), (torch.zeros(1, 2),), "output"),
    ],
)
def test_what_pytorch_brings_can_be_drawn(model: nn.Module, args: Any, expected: str) -> None:
    drawing = backlight.draw(model, args)
    assert expected in texts(drawing)
    assert drawing.svg.count("<path") >= 1


def test_it_needs_no_memory_for_numbers() -> None:
    with torch.device("meta"):
        model, x = nn.Linear(100_000, 100_000), torch.zeros(1, 100_000)
    assert "10,000,100,000 parameters" in texts(backlight.draw(model, x))


def test_a_model_is_left_as_it_was() -> None:
    model = nn.Sequential(nn.BatchNorm1d(3), nn.Dropout(), Residual(3))
    model[1].eval()
    state = {name: value.clone() for name, value in model.state_dict().items()}
    calls: list[bool] = []
    handle = model[0].register_forward_hook(lambda *_: calls.append(torch.is_grad_enabled()))
    before, random = [module.training for module in model.modules()], torch.get_rng_state()
    backlight.draw(model, torch.ones(1, 3))
    with pytest.raises(RuntimeError), warnings.catch_warnings():
        warnings.simplefilter("error")
        backlight.draw(model, torch.ones(1, 4))
    assert calls == [False]
    assert [module.training for module in model.modules()] == before
    assert torch.equal(torch.get_rng_state(), random) and torch.is_grad_enabled()
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    handle.remove()
    assert RemovableHandle.next_id == handle.id + 1
    kept = [each for name, each in vars(torch.nn.modules.module).items() if name.startswith("_global_")]
    assert len(kept) > 5 and not any(kept)
    assert all(parameter.grad is None for parameter in model.parameters())


def test_it_is_saved_as_svg_and_as_pdf(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    hostile = nn.Sequential(OrderedDict({'<i>"&': nn.Linear(2, 2)}))
    drawing = backlight.draw(hostile, torch.zeros(1, 2), tmp_path / "net.svg")
    assert (tmp_path / "net.svg").read_text("utf-8") == drawing.svg == drawing._repr_svg_()
    assert '<i>"&' in texts(drawing) and "<script" not in drawing.svg
    drawing.save(tmp_path / "net.pdf")
    (page,) = pypdf.PdfReader(io.BytesIO((tmp_path / "net.pdf").read_bytes())).pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (
        round(drawing.width * 0.75), round(drawing.height * 0.75),
    )  # fmt: skip
    assert "6 parameters" in page.extract_text()


def test_without_reportlab_a_pdf_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reportlab", None)
    monkeypatch.delitem(sys.modules, "reportlab.pdfgen.canvas", raising=False)
    with pytest.raises(ImportError, match="pip install reportlab"):
        backlight.draw(nn.Linear(2, 2), torch.zeros(1, 2)).pdf()


@pytest.mark.parametrize("width", [320, 600, 1000, 4000])
def test_nothing_is_outside_and_no_boxes_overlap(width: int) -> None:
    drawing = backlight.draw(Stack(), torch.zeros(2, 5, dtype=torch.long), width=width)
    root = ElementTree.fromstring(drawing.svg)
    boxes = [
        [float(rect.get(key, 0)) for key in ("x", "y", "width", "height")]
        for rect in root.iter("{http://www.w3.org/2000/svg}rect")
        if rect.get("class") in ("module", "op", "input", "output")
    ]
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 0 and y >= 0 and x + w <= drawing.width and y + h <= drawing.height
        assert not any(a < x + w and x < a + c and b < y + h and y < b + d for a, b, c, d in boxes[:i])
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d", path.get("d", ""))]
        assert 0 <= min(numbers) and max(numbers[::2]) <= drawing.width and max(numbers[1::2]) <= drawing.height


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    x = torch.zeros(1, 2)
    with pytest.raises(TypeError, match="draw takes a module and its input, as in .* not function"):
        backlight.draw(lambda x: x, x)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="depth is a number from 1 to 20, not 0"):
        backlight.draw(nn.Linear(2, 2), x, depth=0)
    with pytest.raises(ValueError, match="320 or more"):
        backlight.draw(nn.Linear(2, 2), x, width=10)
    with pytest.raises(ValueError, match="net.png: a model's picture is saved as .svg or .pdf"):
        backlight.draw(nn.Linear(2, 2), x, tmp_path / "net.png")
