"""docs/findings.md from the rules and their first broken program: `python -m tests.record.findings`."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from engine.findings import RULES

ROOT = Path(__file__).parents[2]
QUESTIONS: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests/findings/questions.toml").read_text("utf-8"))
SILENT: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests/findings/silent.toml").read_text("utf-8"))
GROUPS = {
    "arrival": "A gradient does not arrive",
    "construction": "A gradient is wrong by construction",
    "sickness": "A gradient is sick",
    "learning": "Learning is sick",
    "convention": "A gradient is a convention",
}

SEED = "torch.manual_seed(0)"
"""The end of what is left out; a program without PyTorch is shown whole."""

HEAD = """# Findings

What a run's own numbers say is wrong with its program: the field `findings` of [the run document](trace.md). On the
command line, `python -m engine program.py --check` prints a line for each (`file:line: severity rule headline`) and
exits with 1 if one is an error, else with 0; with 2 where the program cannot be read. `--check --json` prints them as
data: `{"file", "engine", "status", "findings"}`, each finding with `rule`, `severity`, `file`, `line` (from 1) and
`column` (from 0, both null where unknown), `message`, `why`, `fix` (`text`, and `edits` where they are certain),
`values` and all `lines` it
is about. `--sarif FILE` writes them as SARIF 2.1.0 for code scanning; hints are notes there. What ended the program
is a finding of the rule `raised`. A script under PyTorch itself has the same: `backlight run script.py --check`, and
`deploy/action/` is a GitHub Action of it. Of a notebook, lines are those of its cells one after another.

An `error` makes the result wrong, a `warning` very likely so; a `hint` is something to know. Rules read nothing but
the document, and stay silent when they are not sure. What a program plainly does on purpose is no finding: a target
behind `detach()`, tied weights, a broadcast that is written out.

This page is written from the rules: `python -m tests.record.findings`.
"""


def answers() -> str:
    """How many questions are answered, and what is missing in the others."""
    rows = []
    for what, public in (("recreated from public reports and forums", True), ("of the same kinds", False)):
        counts = Counter(case["answered"] for case in QUESTIONS.values() if case.get("public", False) == public)
        rows.append(f"| {what} | {counts.total()} | {counts['yes']} | {counts['partly']} | {counts['no']} |")
    lacking = [case for case in QUESTIONS.values() if case["answered"] != "yes"]
    return "\n".join([
        "## Are questions answered?\n",
        "What people ask when a gradient surprises them, each with a program, in `tests/findings/questions.toml`. A",
        "question is answered where a finding, the explanation of the error, a warning or the words of a node say what",
        "happened, on its line, and what helps; a test holds each to it.\n",
        "| questions | | yes | partly | no |\n|---|---|---|---|---|",
        *rows,
        "\nNot answered in full:\n",
        *[f"- {case['question']} Missing: {case['missing']}." for case in lacking],
        "",
    ])  # fmt: skip


def silent() -> str:
    """Which silent training errors of a public benchmark are found."""
    rows = [
        f"| `{name}` | {case['what']} | " + (f"`{case['found']}`" if "found" in case else case["why"]) + " |"
        for name, case in SILENT.items()
    ]
    return "\n".join([
        "## Silent training errors\n",
        "The errors that [TrainCheck](https://github.com/OrderLab/TrainCheck-Evaluation-Workloads) reproduces, which",
        "raise nothing. Those that fit one process are programs in `tests/findings/silent.toml`, and found.\n",
        "| name there | what goes wrong | found by, or why a run of one process cannot show it |\n|---|---|---|",
        *rows,
        "",
    ])  # fmt: skip


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    group = ""
    for rule in RULES:
        if rule.group != group:
            group = rule.group
            parts.append(f"## {GROUPS[group]}\n")
        code = (ROOT / f"tests/findings/broken/{rule.name.replace('-', '_')}_1.py").read_text()
        title, *lines = code.splitlines()
        start = lines.index(SEED) + 1 if SEED in lines else 0
        body = "\n".join(lines[start:]).strip()
        parts.append(
            f"### {rule.name}\n\n*{rule.severity}.* {rule.when}\n\n{rule.why} {rule.fix}\n\n{rule.limits}\n\n"
            f"{title.removeprefix('# ')}:\n\n```python\n{body}\n```\n"
        )
    return "\n".join([*parts, answers(), silent()])


if __name__ == "__main__":
    (ROOT / "docs/findings.md").write_text(page())
