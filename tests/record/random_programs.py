"""Record what random programs print under torch:  python -m tests.record.random_programs [first [count]]

With arguments other than the default it only compares the engine with torch and prints what differs: a fuzzer.
"""

import json
import multiprocessing
import sys
import warnings
from pathlib import Path

from tests.engine.random_programs import printed, source

DATA = Path(__file__).parent.parent / "engine" / "data" / "random_programs.json"
COUNT = 150


def answer(seed: int) -> str:
    import torch

    warnings.simplefilter("ignore")
    return printed(source(seed), torch)


def answers(first: int, count: int) -> dict[int, str]:
    """One process for each hundred programs: some of them crash torch itself, and those hundred are left out."""
    found: dict[int, str] = {}
    for start in range(first, first + count, 100):
        seeds = list(range(start, min(start + 100, first + count)))
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            try:
                found |= dict(zip(seeds, pool.map_async(answer, seeds).get(timeout=60), strict=True))
            except multiprocessing.TimeoutError:
                print("torch did not answer for seeds", start, "…")
    return found


def main() -> None:
    if len(sys.argv) == 1:
        recorded = answers(0, COUNT)
        DATA.write_text("{\n" + ",\n".join(f'"{k}": {json.dumps(v)}' for k, v in recorded.items()) + "\n}\n")
        return
    import engine.torch

    warnings.simplefilter("ignore")
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    wrong = 0
    for seed, expected in answers(first, count).items():
        got = printed(source(seed), engine.torch)
        if got != expected:
            wrong += 1
            pairs = zip(expected.splitlines(), got.splitlines(), strict=False)
            print(seed, *next((p for p in pairs if p[0] != p[1]), ("", "")), sep="\n  ")
    print(wrong, "of", count, "differ")


if __name__ == "__main__":
    main()
