"""Write down the types of what `engine.errors` makes of its tables, for mypy and editors: python -m tools.errors"""

from __future__ import annotations

from pathlib import Path

from engine import errors
from engine.errors import table

STUB = Path(errors.__file__).with_suffix(".pyi")
HEAD = f"""\
# {__doc__.rpartition(": ")[2]} makes this of texts/*.txt.
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors.cases import *
from engine.errors.explained import *
from engine.errors.kinds import *
from engine.errors.outs import *
from engine.errors.warnings import *
from engine.errors.wording import *

"""


def stub() -> str:
    made = [f"def {r.name}({r.parameters}) -> {None if r.warns else r.kind}: ...\n" for r in table.rows()]
    return HEAD + "".join(made)


if __name__ == "__main__":
    STUB.write_text(stub(), "utf-8")
