"""Record what random uses of PyTorch's names print under torch:  python -m tests.record.random_uses [first [count]]

With arguments it only compares the engine with torch and prints what differs: a fuzzer. Needs torch 2.13.
"""

import contextlib
import io
import json
import multiprocessing
import sys
from collections import Counter
from pathlib import Path

from tests.engine.random_uses import source, statements

DATA = Path(__file__).parent.parent / "engine" / "data" / "random_uses.json"
COUNT = 150


def under_torch(seed: int) -> str:
    import torch

    torch.set_num_threads(1)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(source(seed), {"__name__": "__main__"})
        except Exception as error:
            print(type(error).__name__, error)
    return out.getvalue()


def here(seed: int) -> str:
    import engine

    document = engine.run(code=source(seed), seed=1).document
    error = document["error"]
    return document["stdout"] + (f"{error['type']} {error['message']}\n" if error else "")


def answers(first: int, count: int) -> dict[int, str]:
    """One process for each hundred programs; those hundred are left out in which one crashes torch."""
    found: dict[int, str] = {}
    for start in range(first, first + count, 100):
        seeds = list(range(start, min(start + 100, first + count)))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            try:
                found |= dict(zip(seeds, pool.map_async(under_torch, seeds).get(timeout=100), strict=True))
            except multiprocessing.TimeoutError:
                print("torch did not answer for seeds", start, "…")
    return found


def main() -> None:
    if len(sys.argv) == 1:
        recorded = {seed: statements(printed) for seed, printed in answers(0, COUNT).items()}
        DATA.write_text("{\n" + ",\n".join(f'"{k}": {json.dumps(v)}' for k, v in recorded.items()) + "\n}\n")
        return
    first, count = (*map(int, sys.argv[1:]), 1000)[:2]
    programs, wrong, kinds = 0, 0, Counter[str]()
    for seed, expected in answers(first, count).items():
        got = here(seed)
        pairs = [pair for pair in zip(statements(expected), statements(got), strict=False) if pair[0] != pair[1]]
        programs += bool(pairs) or statements(expected) != statements(got)
        for theirs, ours in pairs:
            wrong += 1
            kinds[theirs.splitlines()[0].partition("(")[0]] += 1
            lines = list(zip(theirs.splitlines(), ours.splitlines() + [""] * 99, strict=False))
            differ = next((pair for pair in lines if pair[0] != pair[1]), ("", ours.splitlines()[-1]))
            print(seed, theirs.splitlines()[0], *differ, sep="\n  ")
    print(programs, "programs of", count, "differ, in", wrong, "statements:", kinds.most_common(40))


if __name__ == "__main__":
    main()
