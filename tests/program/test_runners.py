"""Programs have the same document whichever runs them, the interpreter or Python itself, but for what is named here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import running
from engine.core.state import State, state
from engine.limits import Limits
from engine.program import runner
from engine.trace import Recorder

PROJECT = Path(__file__).parents[2]
SNIPPETS = PROJECT / "tests" / "snippets"
EXAMPLES = PROJECT / "app" / "examples" / "programs"
EXCUSED = {
    "libraries, which are the real ones": ""
    "libraries/einops_packing libraries/einops_patterns libraries/images libraries/rotated_images"
    " libraries/scaled_and_undrawn libraries/sklearn_components_and_clusters"
    " libraries/sklearn_logistic_regression libraries/sklearn_prepares_and_judges"
    " libraries/torchvision_automatic libraries/torchvision_models"
    " libraries/torchvision_narrow_models libraries/torchvision_ops"
    " libraries/torchvision_sizes_and_dtypes libraries/torchvision_transforms"
    " libraries/transforms_are_modules libraries/transforms_as_functions"
    " libraries/transforms_at_random libraries/transforms_of_images libraries/transforms_v2",
    "arrays and numbers of numpy, which are its own": ""
    "arrays/foreign_scalars arrays/numpy_interop_pitfalls libraries/numpy_beside_tensors"
    " libraries/numpy_comes_back"
    " libraries/numpy_given_to_torch libraries/numpy_in_modules libraries/numpy_numbers_do_not_promote"
    " libraries/numpy_operators_with_tensors",
    "files, which pickle and pyfakefs make": ""
    "language/files_that_a_program_writes language/streams_in_memory modules/loading_arrays_as_weights"
    " modules/loading_with_safe_globals modules/save_and_load python/temporary_files"
    " training/simple_loop_modes",
    "who is asked first of two classes, and given what": ""
    "libraries/function_modes libraries/modes_at_work libraries/subclasses_at_work"
    " libraries/subclasses_with_methods libraries/tensor_subclasses libraries/torch_function",
    "objects that one keeps, and the other lets go of": ""
    "language/special_methods_by_name language/threads_and_timers language/weak_references"
    " libraries/unit_tests",
    "types and names of nodes and of methods": ""
    "basics/storages_written language/attributes_of_nodes language/types_of_nodes"
    " libraries/contexts_made_alone mistakes/forgotten_parentheses texts/functions_printed"
    " tools/names_of_saved_values wrong_kinds/backward_from_a_function wrong_kinds/dirac_of_a_namespace",
    "what is said of an import that finds nothing": "bridge/unknown_module_of_torch",
    "Python's own words and sizes": ""
    "language/members_and_bound_arguments language/printed_before_an_error language/scopes_and_builtins"
    " language/wrong_numbers_of_arguments libraries/inspect_signatures libraries/numpy_printing"
    " python/streams_and_contexts texts/lines_without_end",
    "figures, which matplotlib itself makes": ""
    "libraries/colours_of_points libraries/figures_limits libraries/figures_marks_and_texts"
    " libraries/figures_read_back",
}
"""Why documents differ, and which."""
DIFFERENT = {name for names in EXCUSED.values() for name in names.split()}
TOPICS = sorted({path.parent for path in SNIPPETS.glob("*/*.json")} | {EXAMPLES})

RUN = """
import json, os, signal, sys
import engine
from engine import running

NOT_COMPARED = {"fuel_used", "column", "end_column", "end_line"}

def document(code, cpython):
    read, write = os.pipe()
    if not os.fork():
        signal.alarm(60)
        with os.fdopen(write, "w") as pipe:
            json.dump(running.run(code=code, seed=0, last=True, cpython=cpython).document, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        made = pipe.read()
    os.wait()
    return json.loads(made) if made else {"values": {}}

def told(part, values):
    # Which number a value has depends on what shares one.
    if isinstance(part, dict):
        return {name: told(each, values) for name, each in part.items() if name not in NOT_COMPARED}
    if isinstance(part, list):
        return [told(each, values) for each in part]
    return values[part] if isinstance(part, str) and part in values else part

def different(one, other, where=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one | other:
            found = different(one.get(name), other.get(name), f"{where}.{name}")
            if found:
                return found
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (each, beside) in enumerate(zip(one, other)):
            found = different(each, beside, f"{where}[{number}]")
            if found:
                return found
    elif one != other:
        return f"{where}: {one!r:.300} and {other!r:.300}"
    return None

engine.run(code="import torch")
answers = {}
for path in sys.argv[1:]:
    with open(path) as file:
        code = file.read()
    if path.endswith(".json"):
        code = json.loads(code)["code"]
    both = [document(code, cpython) for cpython in (False, True)]
    answers[path] = different(*[told(each, each.pop("values")) for each in both])
print(json.dumps(answers))
"""


@pytest.mark.parametrize("folder", TOPICS, ids=lambda folder: folder.name)
def test_documents_are_the_same_whichever_runs_a_program(folder: Path) -> None:
    programs = sorted(folder.glob("*.py" if folder == EXAMPLES else "*.json"))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN, *map(str, programs)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    answers = json.loads(done.stdout)
    found = {f"{folder.name}/{Path(path).stem}": answer for path, answer in answers.items() if answer is not None}
    expected = {name for name in DIFFERENT if name.startswith(f"{folder.name}/")}
    assert not {name: answer for name, answer in found.items() if name not in expected}
    assert expected == set(found), "these have the same document now"


def test_a_traceback_has_the_frames_that_were_written() -> None:
    """A lambda stands in it once, and what runs the program nowhere."""
    code = (
        "import traceback\nfails = lambda n: 1 / n\ndef inside(n):\n    return (lambda: fails(n))()\n"
        "try:\n    inside(0)\nexcept ZeroDivisionError:\n    traceback.print_exc(file=__import__('sys').stdout)\n"
        "show = lambda: ''.join(traceback.format_stack())\nprint(show())\n"
    )
    told = running.run(code=code, seed=0, cpython=True).document["stdout"]
    lines = [line.strip() for line in told.splitlines() if line.startswith("  File")]
    failed = [(6, "<module>"), (4, "inside"), (4, "<lambda>"), (2, "<lambda>")]
    shown = [(10, "<module>"), (9, "<lambda>")]
    assert lines == [f'File "<program>", line {line}, in {name}' for line, name in failed + shown]


def test_a_run_leaves_nothing_that_is_told_of_arrays() -> None:
    before = state.exposed
    runner.execute("import torch\ntorch.ones(2).numpy()\n", recorder=Recorder(Limits()), seed=0)
    assert state.exposed is before and type(state) is State
