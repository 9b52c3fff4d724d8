"""How the engine does on PyTorch's op database, per op:

python -m tests.opdb.report [--tier N] [--dtype complex128] [--all] [op …]
"""

from __future__ import annotations

import argparse

from tests.opdb.replay import TIERS, Verdict, base, keys, replay


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tier", type=int, choices=(1, 2, 3))
    parser.add_argument("--dtype", default="float64")
    parser.add_argument("--all", action="store_true", help="also list ops that are entirely right")
    parser.add_argument("--why", type=int, default=1, help="failures shown per op")
    parser.add_argument("ops", nargs="*")
    arguments = parser.parse_args()
    recorded = keys(arguments.tier, arguments.dtype)
    chosen = [k for k in recorded if not arguments.ops or base(k) in arguments.ops or k in arguments.ops]
    verdicts = [replay(key, arguments.dtype) for key in chosen]
    for verdict in verdicts:
        complete = verdict.right == verdict.names == verdict.graphs == verdict.cases
        if arguments.all or arguments.ops or not complete:
            state = (
                "absent"
                if verdict.absent == verdict.cases
                else (f"{verdict.right}/{verdict.cases} right, names {verdict.names}, graphs {verdict.graphs}")
            )
            print(f"{verdict.key:45s} tier {TIERS[base(verdict.key)]['tier']}  {state}")
            for why in verdict.why[: arguments.why]:
                print("      ", why[:220])
    for tier in (1, 2, 3):
        summarise(tier, [v for v in verdicts if TIERS[base(v.key)]["tier"] == tier])


def summarise(tier: int, verdicts: list[Verdict]) -> None:
    if verdicts:
        ops = sum(v.right == v.names == v.graphs == v.cases for v in verdicts)
        total, right = sum(v.cases for v in verdicts), sum(v.right for v in verdicts)
        names, graphs = sum(v.names for v in verdicts), sum(v.graphs for v in verdicts)
        print(
            f"tier {tier}: {ops}/{len(verdicts)} ops entirely right, {right}/{total} cases; "
            f"names {names}, graphs {graphs}"
        )


if __name__ == "__main__":
    main()
