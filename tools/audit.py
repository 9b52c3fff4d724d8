"""Ask what is known against the locked versions: `make audit`.

Ends with 0 where nothing is, with 1 where something is, and with 2 where somebody could not be asked: never green for
want of an answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

PROJECT = Path(__file__).resolve().parents[1]


class Answer(NamedTuple):
    """What is known against the versions of one lock, and how many of them nobody could say anything about."""

    known: list[str]
    asked: int
    unanswered: int


def of_pip(said: dict[str, Any]) -> Answer:
    """pip-audit passes over what its service does not know, and then knows no vulnerabilities."""
    rows = said["dependencies"]
    known = [
        f"{row['name']} {row['version']}: {each['id']}, mended in {', '.join(each['fix_versions']) or 'no version yet'}"
        for row in rows
        for each in row.get("vulns", ())
    ]
    return Answer(known, len(rows), sum("skip_reason" in row for row in rows))


def of_npm(said: dict[str, Any]) -> Answer:
    rows = said["vulnerabilities"]
    known = [f"{name} {row['range']}: {row['severity']}" for name, row in rows.items()]
    return Answer(known, said["metadata"]["dependencies"]["total"], 0)


PIP = [str(Path(sys.executable).with_name("pip-audit")), "--disable-pip", "--require-hashes", "--format", "json", "-r"]
NPM = ["npm", "audit", "--package-lock-only", "--json"]


def questions() -> dict[str, tuple[list[str], Callable[[dict[str, Any]], Answer]]]:
    """What is asked of each lock, and how the answer reads."""
    locks = sorted(path.name for path in PROJECT.glob("requirements*.lock"))
    return {**{lock: ([*PIP, lock], of_pip) for lock in locks}, "package-lock.json": (NPM, of_npm)}


def ask(command: list[str], read: Callable[[dict[str, Any]], Answer]) -> Answer | None:
    """None where there is no answer; the status of both commands is 1 in either case."""
    try:
        said = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
        return read(json.loads(said.stdout))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def report(name: str, answer: Answer | None) -> int:
    """Print a line, or one for each thing that is known; returns the status that follows from it."""
    if answer is None or answer.asked == 0:
        print(f"{name}: not audited, the advisory service cannot be asked from here")
        return 2
    for line in answer.known:
        print(f"{name}: {line}")
    if answer.known:
        return 1
    if answer.unanswered:
        print(
            f"{name}: not audited, {answer.unanswered} of {answer.asked} versions are unknown to the service asked here"
        )
        return 2
    print(f"{name}: {answer.asked} versions, nothing known against them")
    return 0


def main() -> int:
    statuses = {report(name, ask(command, read)) for name, (command, read) in questions().items()}
    return 1 if 1 in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
