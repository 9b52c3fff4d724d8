"""One run of one program: its budget, its output, its random numbers. `session.active` is the run in progress."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from engine.core.state import state
from engine.limits import Limits, meter
from engine.program.identities import APART, FIRST, NOWHERE, Identities
from engine.program.outcome import ADDRESS, CUT, Warned

if TYPE_CHECKING:
    from engine.program.exceptions import ExceptionValue


class Recorder(Protocol):
    """Who writes the run down. Called synchronously; keeps references and formats later."""

    def bind(self, name: str, value: Any) -> None:
        """A name was assigned."""

    def argument(self, name: str, value: Any) -> None:
        """A function was called with this value."""

    def read(self, target: Any, attribute: str, index: tuple[int, ...]) -> None:
        """The program looks at `target.attribute[index]…` of a tensor or a node, and does nothing with it."""

    def print(self, text: str) -> None:
        """The program printed."""

    def warning(self, category: str, message: str, line: int | None) -> None:
        """The program was warned."""

    def figure(self, figure: dict[str, Any], how: str, file: str | None) -> None:
        """The program showed a figure, or saved it in a file; the same object for the same figure."""

    def scope_enter(
        self,
        kind: str,
        label: str,
        line: int | None = None,
        iteration: int | None = None,
        remaining: int | None = None,
    ) -> None:
        """A function call or a loop turn begins; `remaining`: turns of the loop that follow it, if that is known."""

    def scope_exit(self) -> None:
        """It ends."""


closed: set[type] = set()
containers: set[type] = set()
"""Python's own, and the classes that the run in progress has derived from them."""


class Session(Identities):
    """Everything that belongs to one run and to no other.

    `closed` are the types whose values a program may hold: the same set in all sessions, but for those that `join`.
    """

    __slots__ = (
        "_numpy_random", "_random", "absent", "arrays", "budget", "closed", "copies", "derived", "direct", "epoch",
        "figures", "files", "filters", "handling", "joined", "kinds", "limits", "modules",
        "notebook", "numpy_calls", "odd", "output", "output_left", "overrides", "plain", "recorder",
        "redirected", "replaced", "reserved", "seed", "settings", "truncated", "type_methods", "warned", "warnings",
        "writable",
    )  # fmt: skip

    def __init__(self, limits: Limits, recorder: Recorder | None, seed: int | None) -> None:
        super().__init__()
        self.limits = limits
        self.recorder = recorder
        self.seed = seed
        self.budget = meter.budget
        self.truncated: str | None = None
        self.output: list[str] = []
        self.output_left = limits.output_chars
        self.warnings: list[Warned] = []
        self.warned: set[tuple[Any, ...]] = set()
        self.filters: list[tuple[str, Any, type]] = []  # action, pattern, category
        self.handling: list[ExceptionValue] = []
        self.arrays = False
        self.numpy_calls = 0
        self.odd = False
        self.overrides: Any = None  # `engine.program.overrides`, once a class or mode may be asked
        self.notebook = False  # whether the program was pasted from one
        self.kinds: dict[type, str] = {}
        self.direct: dict[type, bool] = {}
        self.plain: set[type] = set()
        self.reserved: dict[type, frozenset[str]] = {}
        self.writable: set[type] = set()
        self.replaced: set[type] = set()  # classes with an object whose `__dict__` the program has replaced
        self.closed = closed
        self.joined: list[type] = []
        self.derived: list[type] = []
        self.modules: dict[str, Any] = {}
        self.absent: dict[tuple[Any, str], Any] = {}  # (scope, name) → what its import did not find
        self.copies: dict[int, Any] = {}
        self.type_methods: dict[tuple[type, str], Any] = {}  # what `dict.get` gives, always the same
        self.settings: dict[tuple[str, str], Any] = {}
        self.files: dict[str, Any] = {}
        self.figures: Any = None  # what matplotlib has open
        self.redirected: list[Any] = []
        self.epoch = [0]
        self._random: random.Random | None = None
        self._numpy_random: np.random.RandomState | None = None

    @property
    def random(self) -> random.Random:
        """The generator behind the program's `random` module."""
        if self._random is None:
            self._random = random.Random(self.seed)
        return self._random

    @property
    def numpy_random(self) -> np.random.RandomState:
        """The generator behind the program's `numpy.random`."""
        if self._numpy_random is None:
            self._numpy_random = np.random.RandomState(None if self.seed is None else self.seed & 0xFFFFFFFF)
        return self._numpy_random

    def join(self, kind: type) -> None:
        """From now until the end of the run, values of this type are the program's to hold."""
        self.closed.add(kind)
        self.joined.append(kind)

    def contains(self, kind: type) -> None:
        """From now until the end of the run, values of this class are compared and copied item by item."""
        containers.add(kind)
        self.derived.append(kind)

    def write(self, text: str) -> None:
        """Append to stdout, up to the limit.

        Memory addresses in reprs are written as 0xADDR, as recorded answers of PyTorch have them: they mean nothing
        outside a process, and the same program is to give the same document.
        """
        if self.redirected:
            self.redirected[-1](text)
            return
        if self.output_left <= 0:
            return
        if " at 0x" in text:
            text = ADDRESS.sub(" at 0xADDR", text)
        if len(text) > self.output_left:
            text = text[: self.output_left] + CUT.format(self.limits.output_chars)
            self.output_left = 0
            self.truncated = "output_chars"
        else:
            self.output_left -= len(text)
        self.output.append(text)
        if self.recorder is not None:
            self.recorder.print(text)

    def notice(self, message: str) -> None:
        """Tell the user something about this service, once."""
        if ("notice", message) not in self.warned:
            self.warned.add(("notice", message))
            line = state.position[0] if state.position is not None else None
            self.warnings.append(Warned("BacklightNotice", message, line))
            if self.recorder is not None:
                self.recorder.warning("BacklightNotice", message, line)

    def gave(self, number: int) -> bool:
        """Whether a number is an object's identity in this run."""
        return number == NOWHERE or number < FIRST + APART * self.identified

    def seconds(self) -> float:
        """The program's clock: it advances with the work done, so that a run can be repeated exactly."""
        return (self.limits.fuel - self.budget[0]) * 1e-6


_idle = Session(Limits(), None, 0)
_idle.over = True
active: Session = _idle


def begin(limits: Limits, recorder: Recorder | None, seed: int | None) -> Session:
    """Arm the meter and make a new session the active one."""
    global active
    meter.arm(limits)
    active = Session(limits, recorder, seed)
    state.identify = active.identify
    return active


def end(session: Session) -> None:
    """No code of this session runs any more."""
    global active
    session.over = True
    session.budget[0] = -1
    session.closed.difference_update(session.joined)
    containers.difference_update(session.derived)
    active = _idle
    meter.disarm()
