"""Findings for programs: rows of data, lines of text, and SARIF 2.1.0 for code scanning."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from .finding import Rule
from .rules import RULES

Row = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "hint": "note"}
"""What SARIF calls our severities."""

RAISED = Rule(
    name="raised",
    group="raised",
    severity="error",
    when="The program raised an exception that nothing caught.",
    why="What comes after it did not run.",
    fix="Read the message, and what stands after it.",
    limits="",
    find=lambda facts: (),
)
"""The error of a program, among rules."""


def report(document: Row, name: str) -> Row:
    """What is wrong with a run, as data: `file`, `engine`, `status`, and `findings`, worst first.

    Each finding has `rule`, `severity`, `file`, `line` (from 1; None where it is about no line), `column` (in
    characters from 0, as in the document; None where it is not known), `message`, `why`, `fix` with `text` and perhaps
    `edits`, `values`, and `lines`, all it is about. An exception that ended the program is a finding of the rule
    `raised`. `name` is the main file's.
    """
    found = [_row(document, finding, name) for finding in document.get("findings", ())]
    if document["error"] is not None:
        found.append(_raised(document, document["error"], name))
    found.sort(key=lambda row: tuple(LEVELS).index(row["severity"]))
    return {"file": name, "engine": document["engine"], "status": document["status"], "findings": found}


def status(reported: Row) -> int:
    """The exit status of a check: 1 if a finding is an error, else 0."""
    return int(any(row["severity"] == "error" for row in reported["findings"]))


def lines(reported: Row) -> list[str]:
    """A line for each finding: `file:line: severity rule message`."""
    return [
        f"{row['file']}:{row['line'] or 1}: {row['severity']} {row.get('type', row['rule'])} {row['message']}"
        for row in reported["findings"]
    ]


def _row(document: Row, finding: Row, name: str) -> Row:
    line = finding["lines"][0] if finding["lines"] else None
    file = finding.get("file", 0)
    row = {
        "rule": finding["rule"],
        "severity": finding["severity"],
        "file": _file(document, file, name),
        "line": line,
        "column": _column(document, finding, line, file),
        "message": finding["headline"],
        "why": finding["why"],
        "fix": finding["fix"],
        "values": finding["evidence"]["values"],
        "lines": finding["lines"],
    }
    return row | {key: finding[key] for key in ("since", "explains_error") if key in finding}


def _raised(document: Row, error: Row, name: str) -> Row:
    line = error["line"]
    return {
        "rule": RAISED.name,
        "severity": RAISED.severity,
        "file": _file(document, error.get("file", 0), name),
        "line": line,
        "column": error["column"],
        "message": error["message"],
        "type": error["type"],
        "why": error["explanation"] or RAISED.why,
        "fix": {"text": error["fix"] or RAISED.fix},
        "values": {},
        "lines": [*([] if line is None else [line]), *(other for other in error["related_lines"] if other != line)],
    }


def _file(document: Row, file: int, name: str) -> str:
    """The name of a file of a run, the first of which is called `name`."""
    return str(document["files"][file]["name"]) if file else name


def _column(document: Row, finding: Row, line: int | None, file: int) -> int | None:
    """Where on its line a finding begins: at the call it is seen in, else at what is to be changed there."""
    evidence = set(finding["evidence"]["ops"])
    placed = [op for op in document["ops"] if op["id"] in evidence and op.get("file", 0) == file]
    for place in (*placed, *finding["fix"].get("edits", ())):
        if place["line"] == line is not None and place["column"] is not None:
            return int(place["column"])
    return None


# SARIF


def sarif(reported: Row, document: Row, version: str) -> Row:
    """The findings of `report` as a SARIF 2.1.0 log with one run. `version` is Backlight's.

    Files below the working directory have addresses relative to it, as code scanning wants them.
    """
    rows = reported["findings"]
    rules = [rule for rule in (RAISED, *RULES) if any(row["rule"] == rule.name for row in rows)]
    at = {rule.name: index for index, rule in enumerate(rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "Backlight", "version": version, "rules": [_rule(rule) for rule in rules]}},
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True}],
                "results": [_result(row, at[row["rule"]], document) for row in rows],
            }
        ],
    }


def _rule(rule: Rule) -> Row:
    help = " ".join(text for text in (rule.why, rule.fix, rule.limits) if text)
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.when},
        "fullDescription": {"text": rule.why},
        "help": {"text": help},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {"tags": [rule.group]},
    }


def _result(row: Row, rule: int, document: Row) -> Row:
    message = f"{row['type']}: {row['message']}" if "type" in row else row["message"]
    result: Row = {
        "ruleId": row["rule"],
        "ruleIndex": rule,
        "level": LEVELS[row["severity"]],
        "message": {"text": f"{message}\n{row['why']} {row['fix']['text']}"},
        "locations": [_location(row["file"], row["line"] or 1, row["column"])],
        "partialFingerprints": {"rule/v1": _fingerprint(row, document)},
        "properties": {"values": row["values"]},
    }
    others = [line for line in row["lines"] if line != row["line"]]
    if others:
        result["relatedLocations"] = [_location(row["file"], line, None) for line in others]
    if row["fix"].get("edits"):
        result["fixes"] = [_fix(row)]
    return result


def _location(file: str, line: int, column: int | None) -> Row:
    region = {"startLine": line} | ({} if column is None else {"startColumn": column + 1})
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": region}}


def _uri(file: str) -> str:
    path = Path(file)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except ValueError:
            return path.as_uri()
    return quote(PurePath(path).as_posix())


def _fix(row: Row) -> Row:
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit["line"],
                "startColumn": edit["column"] + 1,
                "endLine": edit["end_line"],
                "endColumn": edit["end_column"] + 1,
            },
            "insertedContent": {"text": edit["new"]},
        }
        for edit in row["fix"]["edits"]
    ]
    change = {"artifactLocation": {"uri": _uri(row["file"])}, "replacements": replacements}
    return {"description": {"text": row["fix"]["text"]}, "artifactChanges": [change]}


def _fingerprint(row: Row, document: Row) -> str:
    """What a finding is known by when lines above it come and go: its rule and the text of its line."""
    texts = {file["name"]: (file["code"], file["first_line"]) for file in document.get("files", ())[1:]}
    code, first = texts.get(row["file"], (document["source"].get("code") or "", 1))
    listed = code.splitlines()
    at = (row["line"] or 0) - first
    text = listed[at].strip() if 0 <= at < len(listed) else ""
    return hashlib.sha256(f"{row['rule']}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
