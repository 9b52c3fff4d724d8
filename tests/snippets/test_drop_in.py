"""Snippets in ordinary Python, where `engine.torch` stands in for torch, print what torch printed."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.snippets.judge import ADDRESS, recorded_words, same_token, tokens

HERE = Path(__file__).parent
ONLY_INTERPRETED = {
    "the type of a function that PyTorch has written in C": "mistakes/forgotten_parentheses texts/functions_printed"
    " libraries/inspect_signatures libraries/numpy_beside_tensors",
    "the version of the package torch, which is not installed": "python/temporary_files",
    "numpy's warnings of floats, which the engine switches off": "libraries/numpy_errors_of_floats",
    "numbers that the program does not seed": "texts/seed0_blitz_unseeded",
}
"""What ordinary Python does not have, as docs/fidelity.md says, or has otherwise every time, and what uses it."""

AT_HAND = {"functorch", "numpy", "torch", *sys.stdlib_module_names}


def _for_torch_alone(path: Path) -> bool:
    """Whether a program imports nothing but PyTorch, numpy and what comes with Python."""
    tree = ast.parse(json.loads(path.read_text())["code"])
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in imported} <= AT_HAND


PROGRAMS = sorted(
    path
    for path in HERE.glob("*/*.json")
    if path.parent.name != "language"  # which is ordinary Python's own
    and (path.parent.name != "libraries" or _for_torch_alone(path))
    and f"{path.parent.name}/{path.stem}" not in " ".join(ONLY_INTERPRETED.values()).split()
)

RUN = """
import contextlib, io, json, os, sys, types, warnings
import engine.torch
sys.modules.update(engine.torch.stand_in())
warnings.simplefilter("ignore")
sys.setswitchinterval(60)  # the engine is of one thread at a time
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
                exec(compile(code, "<program>", "exec"), module.__dict__)
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
        capture_output=True,
        text=True,
        timeout=580,
        check=True,
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
