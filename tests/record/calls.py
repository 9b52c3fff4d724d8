"""Compare what the engine and PyTorch say to wrong calls, all that can be made of tests/engine/data/calls.txt. Live:

    python -m tests.record.calls [text that the right call contains …]

Those that succeed in PyTorch must succeed in the engine. Needs torch 2.13. `tests.record.tables calls` records the
few of each function that the tests know.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from engine.program import execute
from tests.engine.data import wrong_calls
from tests.record.tables import answer


def ours(call: str) -> tuple[str, str] | None:
    """The type and text of the error that a call raises in the engine, if it does."""
    error = execute(wrong_calls.PRELUDE + call).error
    return (error.type, error.message) if error else None


def main(parts: Sequence[str]) -> None:
    """Print every call that is answered differently, and how many there are."""
    count = different = 0
    for right in wrong_calls.right_calls():
        if parts and not any(part in right for part in parts):
            continue
        for call in dict.fromkeys([right, *wrong_calls.wrong_calls(right)]):
            count += 1
            expected, found = answer(call), ours(call)
            if expected != found:
                different += 1
                print(f"{call}\n    PyTorch: {expected}\n    engine:  {found}")
    print(f"{different} of {count} calls are answered differently")


if __name__ == "__main__":
    main(sys.argv[1:])
