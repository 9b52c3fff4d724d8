"""`argparse`: a program has no command line here, so every argument has its default."""

from __future__ import annotations

from typing import Any

from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.text import represent


class Parsed:
    """`argparse.Namespace`."""

    __module__ = "argparse"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"Namespace({', '.join(f'{name}={represent(value)}' for name, value in self.__dict__.items())})"


Parsed.__name__ = Parsed.__qualname__ = "Namespace"


class Parser:
    """`argparse.ArgumentParser`."""

    __module__ = "argparse"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        self._defaults: dict[str, Any] = {}
        self._required: list[str] = []

    def add_argument(self, *names: str, **options: Any) -> None:
        """Remember the argument's default."""
        flag = next((name for name in names if name.startswith("--")), names[0])
        target = options.get("dest") or flag.lstrip("-").replace("-", "_")
        implied = {"store_true": False, "store_false": True, "count": None}.get(options.get("action", ""))
        self._defaults[target] = options.get("default", implied)
        if options.get("required") or (not flag.startswith("-") and options.get("nargs") not in ("?", "*")):
            self._required.append(flag)

    def add_argument_group(self, *args: Any, **options: Any) -> Parser:
        """Groups only matter for help texts."""
        return self

    def set_defaults(self, **values: Any) -> None:
        """Change defaults."""
        self._defaults.update(values)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Parsed:
        """The defaults. SystemExit, as on a command line, when a required argument is missing."""
        if self._required:
            raise host_exception(EXCEPTIONS["SystemExit"](2))
        return Parsed(**self._defaults)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Parsed, list[str]]:
        """The defaults, and nothing left over."""
        return self.parse_args(), []


Parser.__name__ = Parser.__qualname__ = "ArgumentParser"

MODULES: dict[str, dict[str, Any]] = {"argparse": {"ArgumentParser": Parser, "Namespace": Parsed}}
