"""Findings of severity warning or error in programs that are right: there must be none."""

from __future__ import annotations

from typing import Any

ABOUT_A_MISTAKE = {
    "accumulating": {"zero_grad_matters", "momentum_that_is_a_tensor"},
    "broadcast-loss": {"bce_shapes_pitfalls", "wrong_then_right"},
    "softmax-before-nll": {"bce_shapes_pitfalls"},
    "non-leaf-grad": {
        "lost_grad", "seed2_is_leaf", "seed3_retain_grad", "beginner_leaf_questions", "grad_of_a_non_leaf",
        "grads_of_non_leaves", "dirty_views_and_twice",
    },
    "graph-freed": {"seed1_no_retain", "retain_graph_error", "graph_walk", "saved_tensor_pack"},
    "dead-relu": {"resnet_label_smoothing"},
    "inf-origin": {
        "seed1_prosti_ex3_inf", "machine_without_accelerators", "nan_and_inf", "numeric_stability", "logsumexp_stable",
        "anomaly_of_second_derivatives",
    },
    "nan-origin": {"where_trick", "detect_anomaly", "anomaly_sqrt_nan", "attention_masks", "grad_none_reasons"},
    "lr-scheduler-order": {"hooks_of_an_own_optimizer", "scheduler_zoo"},
    "data-overwrites-saved": {"storages_written", "detach_shares_memory"},
    "inplace-overwrites-saved": {"inplace_view_zoo", "notes_inplace_version"},
}  # fmt: skip
"""Programs that make a mistake, by its rule; snippets in `mistakes` make all kinds."""


def alarms(document: dict[str, Any], program: str) -> list[Any]:
    """Rule, lines and headline of each, by the name of the program."""
    found = [f for f in document.get("findings", []) if f["severity"] != "hint"]
    return [[f["rule"], f["lines"], f["headline"]] for f in found if program not in ABOUT_A_MISTAKE.get(f["rule"], ())]
