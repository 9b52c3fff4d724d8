"""Holds ratios that are measured now against those that were kept.

python -m benchmarks.guard [--keep]

Each is a workload ÷ a yardstick of plain Python or numpy, or tracing on ÷ off, both measured in turns in this run: the
machine's speed is in neither. They differ between versions of Python, so each has its own. It is a remark and no
failure when one is worse: a busy machine can make it so.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import engine
import engine.torch as backlight
from benchmarks import workloads
from benchmarks.measure import alternate, program, traced
from engine import program as programs

KEPT = Path(__file__).parent / "figures.json"
WORSE = 1.1
"""A ratio that is this much larger than the kept one is worth a look."""
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def measured(seconds: float) -> dict[str, float]:
    """The ratios by name; each takes about `seconds`."""
    found: dict[str, float] = {}
    for name, prepare in workloads.WORKLOADS.items():
        stick = "arrays" if name in workloads.WITH_ARRAYS else "objects"
        best = alternate({"engine": prepare(backlight), "stick": workloads.YARDSTICKS[stick]}, seconds)
        found[f"{name} ÷ {stick}"] = best["engine"] / best["stick"]
    for name in ("scalar (a+b)*d", "chain 1,000"):
        prepare = workloads.WORKLOADS[name]
        best = alternate({"off": prepare(backlight), "on": traced(prepare)}, seconds)
        found[f"tracing on ÷ off, {name}"] = best["on"] / best["off"]
    programs.prepare()
    for name, (code, turns) in workloads.TRAININGS.items():
        code = code.format(turns=turns // 4)
        best = alternate({"off": program(code, False), "on": program(code, True)}, seconds)
        found[f"tracing on ÷ off, {name}"] = best["on"] / best["off"]
    steps = {"run": lambda: engine.run(code=workloads.SNIPPET, seed=0), "stick": workloads.objects}
    best = alternate(steps, max(seconds, 2.0))  # most of it is the system's work on files, which varies
    found["snippet → document ÷ objects"] = best["run"] / best["stick"]
    return found


def compared(now: dict[str, float], kept: dict[str, float]) -> list[str]:
    """A line for each ratio; those that became worse are marked."""
    lines = []
    for name, ratio in now.items():
        before = kept.get(name)
        if before is None:
            lines.append(f"{name:<44} {ratio:8.2f}      new")
        else:
            mark = f"   {ratio / before - 1:+.0%}: worse" if ratio > before * WORSE else ""
            lines.append(f"{name:<44} {ratio:8.2f} {before:8.2f}{mark}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", action="store_true", help="keep what is measured, for this version of Python")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each ratio")
    arguments = parser.parse_args()
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    now = measured(arguments.seconds)
    if arguments.keep:
        kept[VERSION] = {name: round(ratio, 3) for name, ratio in now.items()}
        KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    print(f"{f'ratios on Python {VERSION}':<44} {'now':>8} {'kept':>8}")
    print(*compared(now, kept.get(VERSION, {})), sep="\n")


if __name__ == "__main__":
    main()
