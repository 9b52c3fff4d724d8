"""Prints ratios measured side by side: engine ÷ torch eager, tracing on ÷ off, snippet → document, and the service.

python -m benchmarks [--quick] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import engine
import engine.torch as backlight
from benchmarks import peers, service, workloads
from benchmarks.measure import Step, alternate, program, traced
from engine import program as programs


def oracle() -> Any:
    """Real torch on one thread, or None when it is not installed."""
    try:
        import torch
    except ImportError:
        return None
    torch.set_num_threads(1)
    return torch


def microseconds(value: float | None) -> str:
    return "–" if value is None else f"{value * 1e6:,.1f}"


def ratio(part: float | None, whole: float | None) -> str:
    return "–" if part is None or whole is None else f"{part / whole:.2f}×"


def trainings(seconds: float) -> dict[str, dict[str, float]]:
    """Prints tracing on ÷ off of whole trainings, and of their turns that are not recorded."""
    programs.prepare()
    results = {}
    print("tracing on ÷ off, a training".ljust(46), "whole".rjust(11), "later turns".rjust(13))
    for name, (code, turns) in workloads.TRAININGS.items():
        steps = {
            f"{'on' if watched else 'off'}, {count}": program(code.format(turns=count), watched)
            for count in (turns, 2 * turns)
            for watched in (False, True)
        }
        best = results[f"tracing, {name}"] = alternate(steps, seconds)
        on, off = [[best[f"{which}, {count}"] for count in (turns, 2 * turns)] for which in ("on", "off")]
        print(
            f"{name}, {turns:,} turns".ljust(46),
            ratio(on[0], off[0]).rjust(11),
            ratio(on[1] - on[0], off[1] - off[0]).rjust(13),
            flush=True,
        )
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the time")
    parser.add_argument("--json", help="write the numbers to a file as well")
    arguments = parser.parse_args()
    seconds = 0.4 if arguments.quick else 4.0
    torch = oracle()
    others = peers.available()
    results: dict[str, dict[str, float]] = {}

    columns = ["engine", *(["torch"] if torch else []), *others]
    print(
        "least CPU time, µs (one thread, alternating)".ljust(46),
        *(c.rjust(11) for c in columns),
        "engine÷torch".rjust(13),
    )
    for name, prepare in workloads.WORKLOADS.items():
        steps: dict[str, Step] = {"engine": prepare(backlight)}
        if torch:
            steps["torch"] = prepare(torch)
        steps.update({peer: table[name] for peer, table in others.items() if name in table})
        best = results[name] = alternate(steps, seconds)
        print(
            name.ljust(46),
            *(microseconds(best.get(c)).rjust(11) for c in columns),
            ratio(best.get("engine"), best.get("torch")).rjust(13),
            flush=True,
        )
    if torch is None:
        print("torch is not installed: pip install torch==2.13.0 adds its column")

    print()
    for name in ("scalar (a+b)*d", "chain 1,000"):
        prepare = workloads.WORKLOADS[name]
        best = alternate({"off": prepare(backlight), "on": traced(prepare)}, seconds)
        results[f"tracing, {name}"] = best
        print(f"tracing on ÷ off, {name}".ljust(46), ratio(best["on"], best["off"]).rjust(11))

    results |= trainings(seconds)

    best = alternate({"document": lambda: engine.run(code=workloads.SNIPPET, seed=0)}, seconds)
    results["snippet → document"] = best
    print("snippet → document (seed example)".ljust(46), f"{best['document'] * 1e3:.2f} ms CPU".rjust(11))
    print()
    results |= service.costs(2.0 if arguments.quick else 10.0)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
