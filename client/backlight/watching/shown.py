"""What pages show of a training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .control import Control
from .log import Log


@dataclass(frozen=True, slots=True)
class Shown:
    """The training as threads of pages see it; nothing here leads to the program's tensors."""

    every: int
    log: Log
    control: Control

    def told(self, after: int) -> dict[str, Any]:
        """All but documents; of iterations, those after one."""
        control = self.control
        with control.changed:
            return {
                "version": control.version, "iteration": control.iteration, "every": self.every, "state": control.state,
                "told": control.told, **self.log.told(after),
            }  # fmt: skip

    def packed(self, iteration: int) -> bytes | None:
        """The document of an iteration, as JSON in gzip; None where there is none."""
        with self.control.changed:
            return self.log.packed(iteration)
