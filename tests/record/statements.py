"""Record PyTorch's answers to the tables of statements. Needs torch 2.13; run from the repository root:

    python -m tests.record.statements [table …]

Rewrites the answers in `tests/engine/data/statements/*.txt` and keeps the statements: to add one, write its line.
"""

from __future__ import annotations

import sys

import torch

from tests.engine.statements import TABLES, answer, statements


def main() -> None:
    torch.set_warn_always(True)
    for path in sorted(TABLES.glob("*.txt")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        lines = [f"# torch {torch.__version__.partition('+')[0]}"]
        count = 0
        for statement, _ in list(statements(path.stem)):
            first, *rest = statement.split("\n")
            lines += [f">>> {first}", *(f"... {line}" for line in rest), answer(torch, statement)]
            count += 1
        path.write_text("\n".join(lines) + "\n")
        print(path.stem, count, "statements")


if __name__ == "__main__":
    main()
