"""Write down the types of what `engine.errors` makes of its tables, for mypy and editors: python -m tools.errors"""

from __future__ import annotations

from pathlib import Path

from engine import errors
from engine.errors import table

STUB = Path(errors.__file__).with_suffix(".pyi")
HEAD = f"""\
# {__doc__.rpartition(": ")[2]} makes this of texts/*.txt.
from engine.errors.arguments import *
from engine.errors.attention import *
from engine.errors.backward import *
from engine.errors.complexes import *
from engine.errors.convolution import *
from engine.errors.creation import *
from engine.errors.data import *
from engine.errors.decompositions import *
from engine.errors.distributions import *
from engine.errors.elementwise import *
from engine.errors.embeddings import *
from engine.errors.explained import *
from engine.errors.fourier import *
from engine.errors.fractional import *
from engine.errors.functional import *
from engine.errors.functions import *
from engine.errors.images import *
from engine.errors.indexing import *
from engine.errors.layers import *
from engine.errors.leaves import *
from engine.errors.linalg import *
from engine.errors.mixing import *
from engine.errors.modules import *
from engine.errors.outs import *
from engine.errors.parametrizations import *
from engine.errors.quantizers import *
from engine.errors.random import *
from engine.errors.recurrent import *
from engine.errors.removed import *
from engine.errors.segments import *
from engine.errors.shapes import *
from engine.errors.sparse import *
from engine.errors.tensors import *
from engine.errors.testing import *
from engine.errors.views import *
from engine.errors.warnings import *
from engine.errors.writes import *

"""


def stub() -> str:
    made = [f"def {r.name}({r.parameters}) -> {None if r.warns else r.kind}: ...\n" for r in table.rows()]
    return HEAD + "".join(made)


if __name__ == "__main__":
    STUB.write_text(stub(), "utf-8")
