"""The field `findings`: its page, the command line, documents from elsewhere, and what a healthy program gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.__main__ import main
from engine.findings import RULES, findings
from engine.findings.facts import Facts
from engine.findings.finding import Found
from engine.findings.names import name_of
from engine.findings.source import Source, apply
from tests.record.findings import ROOT, page

BROKEN = Path(__file__).parent / "broken"


def test_the_page_is_written_from_the_rules() -> None:
    assert (ROOT / "docs/findings.md").read_text() == page(), "python -m tests.record.findings"


def test_rules_have_names_of_their_own_and_whole_sentences() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        for text in (rule.when, rule.why, rule.fix, rule.limits):
            assert text.endswith("."), (rule.name, text)


def test_findings_depend_on_the_document_alone() -> None:
    document = engine.run(code=(BROKEN / "broadcast_loss_1.py").read_text(), seed=0).document
    found = document.pop("findings")
    assert findings(json.loads(json.dumps(document))) == found


@pytest.mark.failing_rule
def test_a_rule_that_fails_is_logged_and_takes_nothing_with_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    code = (BROKEN / "frozen_in_optimizer_2.py").read_text()
    whole = engine.run(code=code, seed=0).document["findings"]
    kept, lost = whole[0]["rule"], whole[-1]["rule"]
    assert kept != lost

    def fail(facts: Facts) -> Iterator[Found]:
        yield from ()
        raise KeyError("t99")

    broken = [replace(rule, find=fail) if rule.name == lost else rule for rule in RULES]
    monkeypatch.setattr("engine.findings.rules.RULES", broken)
    assert engine.run(code=code, seed=0).document.get("findings", []) == [f for f in whole if f["rule"] != lost]
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("engine.findings", f"rule {lost} failed")
    ]


def test_documents_without_code_or_newer_fields_are_read() -> None:
    for path in sorted(BROKEN.glob("*_1.py")):
        document = engine.run(code=path.read_text(), seed=0).document
        for name in ("findings", "optimizers", "exits", "training"):
            document.pop(name, None)
        document["source"] = {"kind": "capture", "code": None}
        findings(document)


def test_check_prints_a_line_for_each_and_exits_with_1_on_errors(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(BROKEN / "broadcast_loss_2.py")
    assert main([path, "--check"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    number = Path(path).read_text().splitlines().index("loss = ((pred - y) ** 2).mean()  # finds pred") + 1
    assert line.startswith(f"{path}:{number}: error broadcast-loss loss compares pred (10, 1) with y (10,)") or (
        line.startswith(f"{path}:{number}: error broadcast-loss sub compares pred (10, 1) with y (10,)")
    )
    assert main([str(BROKEN / "retain_graph_needless_2.py"), "--check"]) == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", ""])
def test_columns_count_characters(end: str) -> None:
    source = Source(f"a = '🚀'{end or ';'}é = 1; x = f('é', k='é'){end}")
    line = 2 if end else 1
    (call,) = source.calls(line, "f")
    assert source.replace(call, "")["column"] == source.lines[line - 1].index("f(")
    assert [source.text(part) for part in (call, *call.args, *call.keywords)] == ["f('é', k='é')", "'é'", "k='é'"]
    assert apply(source.code, [source.replace(call, "g(3)")]) == f"a = '🚀'{end or ';'}é = 1; x = g(3){end}"


def test_what_is_not_ascii_hides_no_expression() -> None:
    setup = "import torch\nx, y = torch.ones(4, 1, requires_grad=True), torch.ones(4)\n"
    for text in ("", "título = 'é🚀'; "):
        document = engine.run(code=f"{setup}{text}loss = ((x - y) ** 2).mean(); loss.backward()", seed=0).document
        (found,) = [f for f in document["findings"] if f["rule"] == "broadcast-loss"]
        assert found["fix"]["edits"], text


def test_shared_weights_are_told_by_the_modules_they_belong_to() -> None:
    document = engine.run(code=(BROKEN / "shared_parameter_1.py").read_text(), seed=0).document
    (found,) = document["findings"]
    assert found["headline"] == "m.emb.weight is used in m.emb and m.out: its gradient is the sum of 2 contributions"


def test_healthy_programs_have_no_findings_field() -> None:
    program = "import torch\nx = torch.ones(2, requires_grad=True)\nx.sum().backward()\n"
    assert "findings" not in engine.run(code=program, seed=0).document


def in_another_file(value: Any) -> Any:
    """Rows with lines, as they are in the second of two files."""
    if isinstance(value, list):
        return [in_another_file(each) for each in value]
    if not isinstance(value, dict):
        return value
    moved = {key: in_another_file(entry) for key, entry in value.items()}
    return {**moved, "file": 1} if "line" in value else moved


def test_findings_of_another_file_have_its_lines_and_change_nothing() -> None:
    for path in sorted(BROKEN.glob("*_1.py")):
        code = path.read_text()
        document = engine.run(code=code, seed=0).document
        found = document.pop("findings")
        files = [
            {"name": "main.py", "code": "import other\n\nother.run()\n", "first_line": 1},
            {"name": "other.py", "code": code, "first_line": 1},
        ]
        moved = in_another_file({**document, "source": {"kind": "capture", "code": files[0]["code"]}})
        again = findings({**moved, "files": files})
        places = [(finding["rule"], finding["lines"], finding["headline"]) for finding in found if finding["lines"]]
        told = [(f["rule"], f["lines"], f["headline"].replace(" of other.py", "")) for f in again if f["lines"]]
        assert told == places, path.stem
        assert all(f["file"] == 1 and "edits" not in f["fix"] for f in again if f["lines"]), path.stem


def test_numbers_that_are_not_finite_are_spelled_in_evidence() -> None:
    program = (
        "import torch\nimport torch.nn as nn\na = torch.ones(1, 2, requires_grad=True)\nm = nn.Linear(2, 1)\n"
        "m.register_full_backward_hook(lambda m, i, o: (i[0] * 1e400,))\nm(a).sum().backward()\n"
    )
    found = engine.run(code=program, seed=0).document["findings"]
    assert found
    json.dumps(found, allow_nan=False)


MODEL = """
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
X, y = torch.randn(8, 3), torch.randn(8)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
"""


@pytest.mark.parametrize(
    ("program", "rule", "words"),
    [
        (
            "loss = F.mse_loss(model(X), y)\nloss.backward()",
            "broadcast-loss", "loss compares model(X) (8, 1) with y (8,)",
        ),
        (
            "loss = torch.tensor(model(X)).sum()\nloss.backward()",
            "cut-tensor-copy", "the numbers of model(X) on line 5",
        ),
        (
            "w = torch.ones(3, requires_grad=True)\nh = (X * w).data\nh.sum().backward()",
            "cut-detach", "h is taken from (X * w).data on line 6",
        ),
        (
            "w = torch.ones(3, requires_grad=True)\n(X * w).detach().sum().backward()",
            "cut-detach", "X * w is detached on line 6",
        ),
        (
            "nn.init.constant_(model[0].bias, -50.0)\nfor _ in range(2):\n    model(X).sum().backward()",
            "dead-relu", "The result of model.1 on line 7 is 0",
        ),
        (
            "w = torch.rand(3, requires_grad=True)\n"
            "b = (((w + 1) * 2 + (w + 2) * 3 - (w + 3) * 4) ** 2 + w).detach()\nb.sum().backward()",
            "cut-detach", "b is detached from the result of add on line 6",
        ),
        (
            "class Holder:\n    def __init__(self):\n        self.w = torch.zeros(2, requires_grad=True)\n"
            "holder = Holder()\nloss = (holder.w * 1).detach().sum()\nloss.backward()",
            "cut-detach", "so holder.w gets no gradient",
        ),
    ],
)  # fmt: skip
def test_tensors_without_a_variable_are_called_as_the_program_or_the_picture_calls_them(
    program: str, rule: str, words: str
) -> None:
    document = engine.run(code=MODEL.lstrip() + program + "\n", seed=0).document
    headlines = [f["headline"] for f in document["findings"] if f["rule"] == rule]
    assert any(words in headline for headline in headlines), headlines


def test_a_step_that_rounding_loses_is_the_reason_of_a_constant_loss() -> None:
    program = (
        "loss_of = nn.MSELoss()\nopt = torch.optim.SGD(model.parameters(), lr={rate})\nfor _ in range(12):\n"
        "    opt.zero_grad()\n    loss = loss_of(model(X), y[:, None])\n    loss.backward()\n    opt.step()\n"
    )
    for rate, rules in (("1e-12", {"update-too-small", "loss-constant"}), ("0.0", {"loss-constant"})):
        document = engine.run(code=MODEL.lstrip() + program.format(rate=rate), seed=0).document
        assert {f["rule"] for f in document["findings"]} == rules


def headlines(code: str, rule: str) -> list[str]:
    found = engine.run(code="import torch\nimport torch.nn as nn\n" + code, seed=0).document.get("findings", [])
    return [f["headline"] for f in found if f["rule"] == rule]


def test_only_the_program_is_told_that_it_keeps_a_graph() -> None:
    rule = "retain-graph-needless"
    written = "w = torch.ones(2, requires_grad=True)\nfor _ in range(2):\n    loss = (w * w).sum()\n    "
    assert headlines(written + "loss.backward(retain_graph=True)", rule)
    assert headlines(written + "torch.autograd.grad(loss, w, None, True)", rule)
    assert not headlines(written.replace("range(2)", "range(1)") + "loss.backward(retain_graph=True)", rule)
    assert not headlines("torch.func.grad(lambda w: (w * w).sum())(torch.ones(2))", rule)
    assert not headlines("torch.autograd.functional.jacobian(lambda w: w * w, torch.ones(2))", rule)


def test_a_place_counts_where_the_pass_comes_through_it() -> None:
    rule = "shared-parameter"
    twice = "D = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))\nx = torch.ones(4, 2)\n"
    assert headlines(twice + "(D(x) + D(-x)).sum().backward()", rule) == [
        "D.0.weight, D.2.weight are used in 2 places: the gradient of each is the sum of 2 contributions"
    ]
    trained = "opt = torch.optim.SGD(D.parameters(), 0.1)\n(D(x) + D(-x)).sum().backward()\nopt.step()"
    assert not headlines(twice + trained, rule)
    looked_at = "layer = nn.Linear(2, 2)\nprint(layer.weight[0])\nlayer(torch.ones(2))\n"
    assert not headlines(looked_at + "layer(torch.ones(1, 2)).sum().backward()", rule)
    later = "opening = nn.Linear(2, 2)\nopening(torch.ones(2)).sum().backward()\n" + twice
    assert len(headlines(later + "(D(x) + D(-x)).sum().backward()", rule)) == 1


def test_what_raised_is_nothing_that_it_computed_on_the_way() -> None:
    code = "import torch\nlayer = torch.nn.Linear(3, 1)\nlayer(torch.ones(2, 3).double())\n"
    facts = Facts(engine.run(code=code, seed=0).document)
    assert [name_of(facts, op["outputs"][0]) for op in facts.ops][-1] == "the result of t"


def test_what_is_only_looked_at_mixes_nothing() -> None:
    rule = "view-for-transpose"
    training = (
        "t = torch.arange(6.0).reshape(2, 3)\nlayer = nn.Linear(2, 1)\nopt = torch.optim.SGD(layer.parameters(), 0.1)\n"
        "layer(torch.ones(4, 2)).sum().backward()\nopt.step()\n"
    )
    assert not headlines(training + "print(t.reshape(3, 2))", rule)
    assert headlines(training + "print(t.reshape(3, 2).sum(0))", rule)


def test_a_hook_that_turns_a_gradient_keeps_its_norm() -> None:
    code = "w = torch.ones(2, requires_grad=True)\nw.register_hook(lambda g: -g)\n(3 * w).sum().backward()"
    assert headlines(code, "hook-changed-gradient") == ["A hook on w changes the gradient: its norm is the same"]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (
            "x, model = torch.randn(32, 1) * 10, nn.Linear(1, 1)\nopt = torch.optim.SGD(model.parameters(), lr=0.5)\n"
            "for _ in range(40):\n    opt.zero_grad()\n    (model(x) - 5 * x).pow(2).mean().backward()\n    opt.step()",
            "grown from step to step: use a smaller learning rate",
        ),
        (
            "w = torch.tensor([300.0], dtype=torch.float16, requires_grad=True)\n(w * w).sum().backward()",
            "float32 or bfloat16",
        ),
        ("x = torch.tensor([0.0], requires_grad=True)\ntorch.log(x).sum().backward()", "Keep the argument away"),
    ],
)
def test_what_helps_against_an_infinity_is_of_its_kind(program: str, words: str) -> None:
    code = "import torch\nimport torch.nn as nn\ntorch.manual_seed(0)\n" + program
    (found,) = [f for f in engine.run(code=code, seed=0).document["findings"] if f["rule"] == "inf-origin"]
    assert words in found["fix"]["text"]


def test_a_softmax_of_one_number_is_not_called_saturated() -> None:
    code = (BROKEN / "softmax_axis_2.py").read_text()
    assert [row["rule"] for row in engine.run(code=code, seed=0).document["findings"]] == ["softmax-axis"]
