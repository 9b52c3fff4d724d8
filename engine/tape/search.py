"""The tape of a program: of all that may be one, what agrees best with the derivatives of its operations."""

from __future__ import annotations

from engine.tape.calls import of_arrivals, of_callbacks
from engine.tape.objects import of_objects
from engine.tape.observe import Learner
from engine.tape.places import of_indices, of_names
from engine.tape.plan import Plan, agreement


def planned(learned: Learner) -> Plan | None:
    """The tape of a program; None where it has none."""
    found = [
        *of_objects(learned), *of_indices(learned), *of_names(learned), *of_callbacks(learned),
        *of_arrivals(learned),
    ]  # fmt: skip
    if not found:
        return None
    best = max(found, key=agreement)
    best.whole = not learned.over
    return best
