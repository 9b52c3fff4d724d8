"""Record what random uses of PyTorch's names print under torch:

    python -m tests.record.random_uses uses|calls [first count]
    python -m tests.record.random_uses found

`uses` are the programs of tests/engine/random_uses.py, `calls` those of random_calls.py. With numbers it only compares
the engine with torch and prints what differs: a fuzzer. `found` are statements that it found once: to keep one, write
its line into tests/engine/data/found.txt, after a `$`, and record. Needs torch 2.13.
"""

import contextlib
import io
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.engine import random_calls, random_uses
from tests.engine.random_calls import FOUND, found, program_of
from tests.engine.random_uses import statements

DATA = Path(__file__).parent.parent / "engine" / "data"
SOURCES: dict[str, Callable[[int], str]] = {"uses": random_uses.source, "calls": random_calls.source}
COUNT = 150


def under_torch(program: str) -> str:
    import torch

    torch.set_num_threads(1)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(program, {"__name__": "__main__"})
        except Exception as error:
            print(type(error).__name__, error)
    return out.getvalue()


def here(program: str) -> str:
    import engine

    document = engine.run(code=program, seed=1).document
    error = document["error"]
    return document["stdout"] + (f"{error['type']} {error['message']}\n" if error else "")


def answers(source: Callable[[int], str], first: int, count: int) -> dict[int, str]:
    """One process for each twenty programs; those twenty are left out in which one crashes torch."""
    found: dict[int, str] = {}
    for start in range(first, first + count, 20):
        seeds = range(start, min(start + 20, first + count))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            try:
                printed = pool.map_async(under_torch, [source(seed) for seed in seeds]).get(timeout=60)
                found |= dict(zip(seeds, printed, strict=True))
            except multiprocessing.TimeoutError:
                print("torch did not answer for seeds", start, "…")
    return found


def main() -> None:
    if sys.argv[1] == "found":
        groups = [statements(under_torch(program_of(texts)))[1:] for texts in found()]
        FOUND.write_text("".join(text for group in groups for text in group))
        return
    source = SOURCES[sys.argv[1]]
    if len(sys.argv) == 2:
        recorded = {seed: statements(printed) for seed, printed in answers(source, 0, COUNT).items()}
        text = "{\n" + ",\n".join(f'"{k}": {json.dumps(v)}' for k, v in recorded.items()) + "\n}\n"
        (DATA / f"random_{sys.argv[1]}.json").write_text(text)
        return
    first, count = map(int, sys.argv[2:4])
    programs, asked, wrong, kinds = 0, 0, 0, Counter[str]()
    for seed, expected in answers(source, first, count).items():
        got = here(source(seed))
        theirs_all, ours_all = statements(expected), statements(got)
        asked += len(theirs_all) - 1
        pairs = [pair for pair in zip(theirs_all, ours_all, strict=False) if pair[0] != pair[1]]
        programs += theirs_all != ours_all
        for theirs, ours in pairs:
            wrong += 1
            kinds[theirs.splitlines()[0].partition("(")[0]] += 1
            lines = list(zip(theirs.splitlines(), ours.splitlines() + [""] * 99, strict=False))
            differ = next((pair for pair in lines if pair[0] != pair[1]), ("", ours.splitlines()[-1]))
            print(seed, theirs.splitlines()[0], *differ, sep="\n  ")
    print(programs, "programs of", count, "differ, in", wrong, "of", asked, "statements:", kinds.most_common(40))


if __name__ == "__main__":
    main()
