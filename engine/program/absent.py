"""What a program can import although it is not here, so long as it does not use it.

Real programs import more than they run. Such an import passes with a notice, and its name stays without a value:
reading it is what raises, at that line and with what helps. `absent.txt` is recorded by `tests.record.absent`: per
module that is here the names that only the real one has. A name that the real one lacks, too, is an error at once.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from engine.errors.explained.missing import HINTS
from engine.program import session as sessions
from engine.program.exceptions import trail

TOLD: dict[tuple[str, str], str] = {}
"""What the real module says to who reads a name that it had once, by module and name."""

_OF_PYTHON = "Leave out what uses it, or write it with what is there."
_UNKNOWN = "If it is a file of yours, paste what it defines into the program."


def _recorded() -> dict[str, frozenset[str]]:
    lines = (Path(__file__).parent / "absent.txt").read_text().splitlines()
    return {path: frozenset(names.split()) for path, _, names in (line.partition(": ") for line in lines)}


_ELSEWHERE = _recorded()


def exists_elsewhere(module: str, name: str) -> bool:
    """Whether the real module has this name, which the one here lacks."""
    return name in _ELSEWHERE.get(module, ())


def hint_for(module: str, name: str) -> str | None:
    """What helps someone who reads a name that the module here lacks; None where the real one lacks it, too."""
    return _hint(f"{module}.{name}", True) if exists_elsewhere(module, name) else None


@dataclass(frozen=True, slots=True)
class Absent:
    """A module, or a name of one, that is not here."""

    what: str  # as in "pandas", "torch.fx" or "Foo of torch.nn"
    kind: type[ImportError]
    message: str
    module: str  # that was not found, or lacks the name
    hint: str
    elsewhere: bool  # the real thing may well exist: the import passes

    def error(self) -> ImportError:
        """The error for its use, or for its import where nothing of that name exists."""
        error = self.kind(self.message, name=self.module)
        trail(error).hint = self.hint
        return error

    def pass_over(self) -> None:
        """Say at the line of its import that it is not here. Raises its error if that cannot be passed over."""
        if not self.elsewhere:
            raise self.error()
        sessions.active.notice(f"{self.what} is not available here. The program runs on until it is used.")


def absent_module(name: str, known: str | None) -> Absent:
    """For `import name`; `known` is the longest part of it that is a module here."""
    if known is None:
        root = name.partition(".")[0]
        unknown = _OF_PYTHON if root in sys.stdlib_module_names else _UNKNOWN
        hint = f"{root} is not available here. {HINTS.get(root, unknown)}"
        return Absent(root, ModuleNotFoundError, f"No module named '{root}'", root, hint, True)
    following = name[len(known) + 1 :].partition(".")[0]
    missing = f"{known}.{following}"
    elsewhere = exists_elsewhere(known, following)
    message, hint = f"No module named '{missing}'", _hint(missing, elsewhere)
    return Absent(missing, ModuleNotFoundError, message, missing, hint, elsewhere)


def absent_name(module: str, name: str) -> Absent:
    """For `from module import name`, where the module is here and the name is not."""
    message = f"cannot import name '{name}' from '{module}' (unknown location)"
    elsewhere = exists_elsewhere(module, name)
    return Absent(f"{module}.{name}", ImportError, message, module, _hint(f"{module}.{name}", elsewhere), elsewhere)


def _hint(what: str, elsewhere: bool) -> str:
    root = what.partition(".")[0]
    whose = "PyTorch" if root == "torch" else "Python" if root in sys.stdlib_module_names else root
    if elsewhere:
        return f"{whose} has {what}, Backlight does not: leave out what uses it, or write it with what is there."
    return f"{whose} has no {what} either: it is misspelt, or of another version."
