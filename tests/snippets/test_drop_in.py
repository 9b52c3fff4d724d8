"""Snippets in ordinary Python, where `engine.torch` stands in for torch, print what torch printed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.snippets.judge import ADDRESS, recorded_words, same_token, tokens

HERE = Path(__file__).parent
ONLY_INTERPRETED = {
    "the names of functions that PyTorch has written in C": "inplace/out_of_other_dtypes texts/functions_printed",
    "the type of a method that is read and not called": "mistakes/forgotten_parentheses"
    " texts/methods_printed_without_a_call",
    "step of an optimizer, which PyTorch wraps": "mistakes/methods_called_on_classes",
    "the bases of classes, some of which are only here": "modules/bases_of_classes",
    "the version of the package torch, which is not installed": "python/temporary_files",
    "numbers of numpy that are none of Python's kinds": "arrays/foreign_scalars",
    "numbers that the program does not seed": "texts/seed0_blitz_unseeded",
}
"""What ordinary Python does not have, as docs/fidelity.md says, or has otherwise every time, and what uses it."""

PROGRAMS = sorted(
    path
    for path in HERE.glob("*/*.json")
    if path.parent.name not in ("language", "libraries")  # which are ordinary Python's own, and other people's
    and f"{path.parent.name}/{path.stem}" not in " ".join(ONLY_INTERPRETED.values()).split()
)

RUN = """
import contextlib, io, json, os, sys, types, warnings
import engine.torch
sys.modules.update(engine.torch.stand_in())
warnings.simplefilter("ignore")
answers, folder = {}, sys.argv.pop(1)
for path in sys.argv[1:]:
    with open(path) as file:
        code = json.load(file)["code"]
    read, write = os.pipe()
    if not os.fork():
        module, output, error = types.ModuleType("__main__"), io.StringIO(), None
        os.chdir(folder)
        sys.modules["__main__"] = module
        with contextlib.redirect_stdout(output):
            try:
                exec(compile(code, path, "exec"), module.__dict__)
            except Exception as raised:
                error = type(raised).__name__
        with os.fdopen(write, "w") as pipe:
            json.dump([output.getvalue(), error], pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        answers[path] = json.load(pipe)
    os.wait()
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str | None]]:
    """What every program printed, and the error that ended it."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path_factory.mktemp("files")), *map(str, PROGRAMS)],
        capture_output=True, text=True, timeout=300, check=True,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", PROGRAMS, ids=[f"{p.parent.name}/{p.stem}" for p in PROGRAMS])
def test_a_snippet_in_ordinary_python_prints_what_torch_printed(
    path: Path, answers: dict[str, tuple[str, str | None]]
) -> None:
    expected = json.loads(path.read_text())["expected"]
    printed, error = answers[str(path)]
    assert error == (expected["error"] and expected["error"]["type"])
    got, want = tokens(recorded_words(ADDRESS.sub("0xADDR", printed))), tokens(expected["stdout"])
    assert len(got) == len(want)
    for ours, theirs in zip(got, want, strict=True):
        assert same_token(ours, theirs), f"{ours} where torch printed {theirs}"
