"""Programs that are right have no finding of severity warning or error: the menu's, the snippets, usual trainings."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.findings import findings

ROOT = Path(__file__).parents[2]

ABOUT_A_MISTAKE = {
    "accumulating": {"zero_grad_matters", "momentum_that_is_a_tensor"},
    "broadcast-loss": {"bce_shapes_pitfalls", "wrong_then_right"},
    "softmax-before-nll": {"bce_shapes_pitfalls"},
    "non-leaf-grad": {
        "lost_grad", "seed2_is_leaf", "seed3_retain_grad", "beginner_leaf_questions", "grad_of_a_non_leaf",
        "grads_of_non_leaves", "dirty_views_and_twice",
    },
    "dead-relu": {"resnet_label_smoothing"},
    "inf-origin": {"seed1_prosti_ex3_inf", "machine_without_accelerators"},
    "nan-origin": {"where_trick", "detect_anomaly"},
    "lr-scheduler-order": {"hooks_of_an_own_optimizer", "scheduler_zoo"},
    "inplace-overwrites-saved": {"inplace_view_zoo", "notes_inplace_version"},
}  # fmt: skip
"""Programs that make a mistake, by its rule; those in `mistakes` make all kinds."""

PROGRAMS = sorted(
    path
    for pattern in ("app/examples/programs/*.py", "tests/snippets/*/*.py", "tests/findings/healthy/*.py")
    for path in ROOT.glob(pattern)
    if path.stem != "__init__" and path.parent.name != "mistakes"
)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nothing_is_called_wrong(path: Path) -> None:
    document = engine.run(code=path.read_text(), seed=0).document
    said = document.pop("findings", [])
    assert findings(document) == said
    found = [f for f in said if f["severity"] != "hint"]
    alarms = [f for f in found if path.stem not in ABOUT_A_MISTAKE.get(f["rule"], ())]
    assert not alarms, [(f["rule"], f["lines"], f["headline"]) for f in alarms]


def test_there_are_hundreds_of_them() -> None:
    assert len(PROGRAMS) > 800
