"""Record the expected answers of language tests again:

    python -m tests.record.language tests/program/programs/*.txt

Run it with the Python that should give the answers; files whose name starts with `torch_` need PyTorch.
"""

from __future__ import annotations

import contextlib
import io
import platform
import sys
import traceback
import warnings
from pathlib import Path

from tests.program.programs import Program, dump, load


def run(program: Program) -> None:
    """Run one program in this Python and keep what it did."""
    out = io.StringIO()
    program.error = None
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program.code, "<program>", "exec", dont_inherit=True), {"__name__": "__main__"})
        except BaseException as error:
            frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "<program>"]
            line = frames[-1].lineno if frames else getattr(error, "lineno", 0)
            message = error.msg if isinstance(error, SyntaxError) else str(error)
            program.error = (type(error).__name__, line or 0, message)
    program.stdout = out.getvalue()


def main() -> None:
    by = f"CPython {platform.python_version()}"
    with contextlib.suppress(ImportError):
        import torch

        by += f", torch {torch.__version__}"
    with contextlib.suppress(ImportError):
        import numpy

        by += f", numpy {numpy.__version__}"
    for name in sys.argv[1:]:
        path = Path(name)
        programs = load(path)
        for program in programs:
            if "torch" in sys.modules:
                sys.modules["torch"].set_grad_enabled(True)
                sys.modules["torch"].manual_seed(0)
            run(program)
        dump(path, by, programs)


if __name__ == "__main__":
    main()
