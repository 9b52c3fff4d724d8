"""A document is a pure function of its input: the same bytes from processes that have nothing else in common.

The processes have the settings of a worker (`PYTHONHASHSEED=0`, one thread); address space, environment, what ran in
them before, the order of the programs and what lies in their memory differ.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from engine.__main__ import SAME_EVERYWHERE
from tests.attack.report import Result, timed

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROCESSES = 3
SECONDS = 580

Program = tuple[str, str]


def hostile() -> list[Program]:
    """The programs that ask for what differs."""
    text = (HERE / "programs" / "impure.txt").read_text(encoding="utf-8").partition("\n")[2]
    return [(f"impure {number}", code + "\n") for number, code in enumerate(text.split("\n# ---\n"))]


def everyday() -> list[Program]:
    """The snippets and the examples of the page."""
    found: list[Program] = []
    for path in sorted((ROOT / "tests" / "snippets").rglob("*.py")):
        if path.parent != ROOT / "tests" / "snippets":
            found.append((f"snippet {path.parent.name}/{path.stem}", path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "app" / "examples" / "programs").glob("*.py")):
        found.append((f"example {path.stem}", path.read_text(encoding="utf-8")))
    return found


def replay(programs: Sequence[Program], number: int, keep: Sequence[str] = ()) -> tuple[dict[str, str], dict[str, str]]:
    """Digests and kept documents of the programs in a fresh process, the `number`th of its kind."""
    rng = random.Random(number)
    order = [name for name, _ in programs]
    if number:
        rng.shuffle(order)
    plan = {"programs": programs, "order": order, "litter": number, "keep": list(keep)}
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(plan, file)
        file.flush()
        done = subprocess.run(
            [sys.executable, "-m", "tests.attack.replay", file.name],
            cwd=ROOT,
            env={**os.environ, **SAME_EVERYWHERE, "PADDING": "x" * (4099 * number)},
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-2000:])
    found = json.loads(done.stdout)
    return found["digests"], found["documents"]


def difference(name: str, documents: Sequence[str]) -> str:
    """Where the documents of one program begin to differ."""
    first, second = next(((a, b) for a in documents for b in documents if a != b), ("", ""))
    at = len(os.path.commonprefix([first, second]))
    return f"{name}: …{first[max(0, at - 60) : at + 60]}… or …{second[max(0, at - 60) : at + 60]}…"


def compare(result: Result, programs: Sequence[Program], processes: int) -> None:
    """Run the programs in every process and expect one document of each."""
    answers = [replay(programs, number)[0] for number in range(processes)]
    differing = {name for name, _ in programs if len({answer[name] for answer in answers}) > 1}
    kept = [replay(programs, number, sorted(differing)[:20])[1] for number in range(processes)] if differing else []
    for name, _ in programs:
        documents = [documents.get(name, "") for documents in kept]
        result.expect(name not in differing, lambda name=name, documents=documents: difference(name, documents))  # type: ignore[misc]


def attack(size: float) -> Result:
    """`size` 1.0 runs the hostile programs, the snippets and the examples, each in three processes; 0.1 still runs all
    that are hostile."""
    result = Result("purity", "a document is a pure function of its input")
    with timed(result):
        chance = random.Random(0)
        asking, usual = hostile(), everyday()
        some = chance.sample(asking, round(len(asking) * min(1.0, 10 * size)))
        processes = PROCESSES if size >= 0.1 else 2
        compare(result, [*some, *chance.sample(usual, round(len(usual) * size))], processes)
    result.figures["processes"] = str(processes)
    return result


if __name__ == "__main__":
    from tests.attack.report import table

    found = attack(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
    print(table([found]), *found.failures, sep="\n")
    sys.exit(bool(found.failed))
