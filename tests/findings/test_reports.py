"""Findings for programs: `--check --json` and SARIF 2.1.0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.__main__ import main
from engine.findings import RULES, reports
from engine.findings.source import apply

BROKEN = Path(__file__).parent / "broken"
BROADCAST = "broadcast_loss_2.py"


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status = main([*arguments, "--check", "--json"])
    return status, json.loads(capsys.readouterr().out)


def logged(tmp_path: Path, *arguments: str) -> Any:
    target = tmp_path / "run.sarif"
    main([*arguments, "--check", "--sarif", str(target)])
    return json.loads(target.read_text("utf-8"))


def test_findings_are_data(capsys: pytest.CaptureFixture[str]) -> None:
    path = BROKEN / BROADCAST
    status, found = checked(capsys, str(path))
    assert status == 1
    assert (found["file"], found["status"]) == (str(path), "ok")
    (row,) = found["findings"]
    code = path.read_text()
    text = code.splitlines()[row["line"] - 1]
    assert (row["rule"], row["severity"], row["file"]) == ("broadcast-loss", "error", str(path))
    assert text[row["column"] :].startswith("pred - y")
    assert "(10, 1)" in row["message"] and row["values"]["shapes"] == [[10, 1], [10], [10, 10]]
    assert row["why"] and row["fix"]["text"] and "pred.squeeze(1)" in apply(code, row["fix"]["edits"])


def test_hints_do_not_fail_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = checked(capsys, str(BROKEN / "retain_graph_needless_2.py"))
    assert status == 0 and {row["severity"] for row in found["findings"]} == {"hint"}


def test_what_a_program_raises_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "raises.py"
    path.write_text("import torch\nx = torch.ones(2)\ny = 1; x.sum().backward()\n")
    status, found = checked(capsys, str(path))
    raised = next(row for row in found["findings"] if row["rule"] == "raised")
    assert (status, found["status"], raised["severity"]) == (1, "error", "error")
    assert (raised["type"], raised["line"], raised["column"]) == ("RuntimeError", 3, 7)
    assert "requires_grad" in raised["fix"]["text"]


def test_what_cannot_be_parsed_is_a_finding_of_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "half.py"
    path.write_text("import torch\nx = (\n")
    status, found = checked(capsys, str(path))
    assert status == 1 and [(row["rule"], row["type"], row["line"]) for row in found["findings"]] == [
        ("raised", "SyntaxError", 2)
    ]


def test_a_healthy_program_has_an_empty_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "healthy.py"
    path.write_text("import torch\nx = torch.ones(2, requires_grad=True)\nx.sum().backward()\nprint('out')\n")
    status, found = checked(capsys, str(path))
    assert (status, found["findings"]) == (0, [])


@pytest.mark.parametrize("program", ["", "x = (", "import torch\nraise ValueError('\\ud800')", "exit()"])
def test_every_program_has_a_valid_log(program: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(program)
    valid(logged(tmp_path, str(path)))


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_every_rule_has_a_valid_log_with_its_own_help(rule: str, tmp_path: Path) -> None:
    run = valid(logged(tmp_path, str(BROKEN / f"{rule.replace('-', '_')}_1.py")))
    texts = {row["id"]: row for row in run["tool"]["driver"]["rules"]}
    (own,) = (each for each in RULES if each.name == rule)
    assert texts[rule]["shortDescription"]["text"] == own.when
    assert all(text in texts[rule]["help"]["text"] for text in (own.why, own.fix, own.limits))
    assert texts[rule]["defaultConfiguration"]["level"] == reports.LEVELS[own.severity]


def test_the_log_says_where_and_how_it_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (BROKEN / BROADCAST).read_text()
    (tmp_path / "a b").mkdir()
    path = tmp_path / "a b" / "tråin.py"
    path.write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (result,) = valid(logged(tmp_path, str(path)))["results"]
    place = result["locations"][0]["physicalLocation"]
    line = next(number for number, text in enumerate(code.splitlines(), 1) if "# finds pred" in text)
    assert place["artifactLocation"] == {"uri": "a%20b/tr%C3%A5in.py"}
    assert place["region"]["startLine"] == line
    (replacement,) = result["fixes"][0]["artifactChanges"][0]["replacements"]
    region = replacement["deletedRegion"]
    text = code.splitlines()[region["startLine"] - 1]
    assert text[region["startColumn"] - 1 : region["endColumn"] - 1] == "pred"
    assert replacement["insertedContent"] == {"text": "pred.squeeze(1)"}


def test_a_finding_keeps_its_fingerprint_when_its_line_moves(tmp_path: Path) -> None:
    code = (BROKEN / BROADCAST).read_text()
    path = tmp_path / "train.py"
    prints = []
    for text in (code, f"\n\n{code}", code.replace("# finds pred", "# another text")):
        path.write_text(text)
        (result,) = logged(tmp_path, str(path))["runs"][0]["results"]
        prints.append(result["partialFingerprints"])
    assert prints[0] == prints[1] != prints[2]


def test_a_finding_in_another_file_of_a_captured_run_names_it() -> None:
    finding = {
        "rule": "cut-item", "severity": "warning", "headline": "h", "why": "w", "lines": [12], "file": 1,
        "evidence": {"ops": ["o1"], "values": {}}, "fix": {"text": "f"},
    }  # fmt: skip
    document = {
        "engine": "torch 2.13.0", "status": "ok", "error": None, "findings": [finding],
        "source": {"code": "import model"},
        "files": [{"name": "main.py", "code": "import model", "first_line": 1},
                  {"name": "lib/model.py", "code": "a = 1\nb = a.item()", "first_line": 11}],
        "ops": [{"id": "o1", "line": 12, "column": 4, "file": 1}],
    }  # fmt: skip
    found = reports.report(document, "main.py")
    assert [(row["file"], row["line"], row["column"]) for row in found["findings"]] == [("lib/model.py", 12, 4)]
    (result,) = valid(reports.sarif(found, document, "1"))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "lib/model.py"


def test_a_log_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(BROKEN / BROADCAST), "--sarif", str(tmp_path / "none" / "run.sarif")]) == 2
    assert "No such file" in capsys.readouterr().err


# What the schema of SARIF 2.1.0 asks for

KEYS = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "columnKind", "invocations", "results"},
    "rule": {"id", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"},
    "result": {
        "ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "properties", "relatedLocations",
        "fixes",
    },
    "region": {"startLine", "startColumn", "endLine", "endColumn"},
}  # fmt: skip
"""The properties that we use; it allows no others than its own."""


def valid(log: Any) -> Any:
    """Check what the published schema requires of the properties that are used; returns the run."""
    assert set(log) <= KEYS["log"] and log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    assert set(run) <= KEYS["run"] and run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    assert run["invocations"] == [{"executionSuccessful": True}]
    driver = run["tool"]["driver"]
    assert driver["name"] and isinstance(driver["version"], str)
    rules = driver["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule) <= KEYS["rule"]
        assert all(rule[text]["text"] for text in ("shortDescription", "fullDescription", "help"))
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    for result in run["results"]:
        assert set(result) <= KEYS["result"]
        assert result["level"] in ("none", "note", "warning", "error") and result["message"]["text"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert all(isinstance(text, str) for text in result["partialFingerprints"].values())
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            place = location["physicalLocation"]
            assert place["artifactLocation"]["uri"] and region(place["region"])
        for fix in result.get("fixes", ()):
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"]["uri"] and change["replacements"]
                assert all(region(each["deletedRegion"]) for each in change["replacements"])
    return run


def region(found: dict[str, Any]) -> bool:
    return set(found) <= KEYS["region"] and all(isinstance(n, int) and n >= 1 for n in found.values())
