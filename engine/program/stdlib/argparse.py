"""`argparse`: a program has no command line here, so every argument has its default, or what a given list says."""

from __future__ import annotations

import argparse
import re
from functools import partial
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.admission import value_of
from engine.program.attributes import read, write
from engine.program.calls import call
from engine.program.charges import scanned
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.kinds import MIXED, OWN, kind_of
from engine.program.operators import contains, equal, items
from engine.program.text import represent, to_text
from engine.program.values import Opaque

SUPPRESS = "==SUPPRESS=="
_IMPLIED = {"store_true": (False, True), "store_false": (True, False)}
ARGUMENT_TYPE_ERROR: Any = type("ArgumentTypeError", (EXCEPTIONS["Exception"],), {"__module__": "argparse"})
BOTH_WAYS = Opaque("<class 'argparse.BooleanOptionalAction'>")
_NEGATIVE = re.compile(r"-\d+|-\d*\.\d+")
_FLAGS: frozenset[Any] = frozenset(
    {"store_true", "store_false", "store_const", "count", "append_const", "version", BOTH_WAYS}
)
"""Actions that take no value."""


class _Usage(Exception):  # noqa: N818 - it is what the command line says, and no error of ours
    """The command line is wrong."""


class Parsed:
    """`argparse.Namespace`."""

    __module__ = "argparse"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __eq__(self, other: object) -> bool:
        return equal(self.__dict__, other.__dict__) if isinstance(other, Parsed) else NotImplemented

    __hash__: Any = None

    def __contains__(self, key: Any) -> bool:
        return key in self.__dict__

    def __repr__(self) -> str:
        return f"Namespace({', '.join(f'{name}={represent(value)}' for name, value in self.__dict__.items())})"


Parsed.__name__ = Parsed.__qualname__ = "Namespace"


class _Argument:
    """One that was added: how it is named, and what it makes of its values."""

    __slots__ = (
        "action", "choices", "const", "default", "flags", "kind", "nargs", "rivals", "required", "target", "version",
    )  # fmt: skip

    def __init__(self, names: tuple[str, ...], options: dict[str, Any], rivals: Group | None = None) -> None:
        self.rivals, self.version = rivals, options.get("version")
        self.flags = names if names and names[0].startswith("-") else ()
        named = next((name for name in names if name.startswith("--")), names[0] if names else "")
        self.target = options.get("dest") or named.lstrip("-").replace("-", "_")
        self.action = options.get("action", "store")
        implied: tuple[Any, Any] = _IMPLIED.get(self.action, (None, options.get("const")))
        without, self.const = implied
        self.nargs, self.choices = options.get("nargs"), options.get("choices")
        if not self.flags and self.nargs == "*":
            without = []
        self.default = options.get("default", SUPPRESS if self.action == "version" else without)
        self.kind = options.get("type")
        if self.action is BOTH_WAYS:
            self.flags += tuple("--no-" + flag[2:] for flag in self.flags if flag.startswith("--"))
        self.required = bool(options.get("required")) if self.flags else self.nargs not in ("?", "*")

    def most(self) -> int | None:
        """How many values it takes at most; None for any number."""
        if self.action in _FLAGS:
            return 0
        if type(self.nargs) is int:
            return self.nargs
        return None if self.nargs in ("*", "+") else 1

    def value(self, text: Any) -> Any:
        """A text of the command line, or a default that is a text, as its type makes it."""
        if self.kind is None or not isinstance(text, str):
            return text
        try:
            return call(self.kind, (text,), None)
        except Exception as error:
            if isinstance(error, TypeError | ValueError) or isinstance(value_of(error), ARGUMENT_TYPE_ERROR):
                raise _Usage from None
            raise

    def take(self, flag: str, texts: list[str], values: dict[str, Any]) -> None:
        """Store what its values say."""
        known = values.get(self.target)
        if self.action is BOTH_WAYS:
            values[self.target] = not flag.startswith("--no-")
        elif self.action in ("store_true", "store_false", "store_const"):
            values[self.target] = self.const
        elif self.action == "count":
            values[self.target] = (known or 0) + 1
        elif self.action == "append_const":
            values[self.target] = [*items(known or ()), self.const]
        else:
            made = [self.value(text) for text in texts]
            if self.choices is not None and not all(contains(self.choices, one) for one in made):
                raise _Usage
            found: Any = made
            if self.nargs in (None, "?"):
                found = made[0] if made else self.const if self.flags else self.default
            if self.action in ("append", "extend"):
                found = [*items(known or ()), *([found] if self.action == "append" else items(found))]
            values[self.target] = found


_WIDTH = 78
_KEPT = frozenset(
    "action nargs const default choices required help metavar dest title description aliases version".split()
)
_LONGEST = 2000
"""Characters of a text that a help text is made of."""


_WIDE = re.compile(r"%(?:\([^)]*\))?[-+ #0.\d]*(?:\d{3}|\*)")


class _Shown:
    """A value of the program in a help text."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __str__(self) -> str:
        return to_text(self._value)

    def __repr__(self) -> str:
        return represent(self._value)


def _short(text: Any) -> Any:
    """A text of a help text, or what stands for one. Raises ValueError where it is too long."""
    if isinstance(text, str):
        if len(text) > _LONGEST:
            raise ValueError(f"texts of more than {_LONGEST} characters are not put into a help text here")
        if _WIDE.search(text):
            raise ValueError("widths in help texts are limited to 99 here")
        meter.charge(len(text) >> 4)
    if text is None or isinstance(text, str | int | float):
        return text
    if isinstance(text, list | tuple):
        meter.charge(len(text))
        return type(text)([_short(each) for each in text]) if type(text) in (list, tuple) else _Shown(text)
    return argparse.BooleanOptionalAction if text is BOTH_WAYS else _Shown(text)


def _told(options: dict[str, Any]) -> dict[str, Any]:
    """What of options a help text needs."""
    return {name: _short(value) for name, value in options.items() if name in _KEPT}


def _print(text: str, file: Any) -> None:
    if file is None:
        sessions.active.write(text)
    else:
        call(read(file, "write"), (text,), None)


class Group:
    """What arguments are added to."""

    __module__ = "argparse"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, parser: Parser, place: int, rivals: bool = False, required: bool = False) -> None:
        self._parser, self._place, self._rivals, self._required = parser, place, rivals, required

    def add_argument(self, *names: str, **options: Any) -> Opaque:
        """Remember the argument."""
        return self._parser._added(names, options, self)


class Parser:
    """`argparse.ArgumentParser`."""

    __module__ = "argparse"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        self._said: dict[str, Any] = dict(zip(("prog", "usage", "description", "epilog"), args, strict=False)) | options
        self._groups: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self._added_to: list[tuple[int | None, tuple[str, ...], dict[str, Any]]] = []
        self._arguments: list[_Argument] = []
        self._defaults: dict[str, Any] = {}
        self._commands: Commands | None = None
        self._needed: list[Group] = []
        for parent in items(options.get("parents", ())):
            if not isinstance(parent, Parser):
                raise TypeError(f"parents are ArgumentParsers, not '{type(parent).__name__}' objects")
            meter.charge(1 + len(parent._arguments))
            self._arguments += parent._arguments
            self._added_to += [(None, names, told) for _, names, told in parent._added_to]
            self._defaults |= parent._defaults
            self._needed += parent._needed

    def add_argument(self, *names: str, **options: Any) -> Opaque:
        """Remember the argument."""
        return self._added(names, options)

    def _added(self, names: tuple[str, ...], options: dict[str, Any], group: Group | None = None) -> Opaque:
        meter.charge(len(names))
        self._added_to.append((None if group is None else group._place, names, options))
        argument = _Argument(names, options, group if group is not None and group._rivals else None)
        self._arguments.append(argument)
        return Opaque(f"Argument(option_strings={represent(list(argument.flags))}, dest={represent(argument.target)})")

    def add_argument_group(self, *args: Any, **options: Any) -> Group:
        """Groups only matter for help texts."""
        self._groups.append(("add_argument_group", args, options))
        return Group(self, len(self._groups) - 1)

    def add_mutually_exclusive_group(self, **options: Any) -> Group:
        """Of the arguments in such a group one can be given, or must be."""
        self._groups.append(("add_mutually_exclusive_group", (), options))
        made = Group(self, len(self._groups) - 1, True, bool(options.get("required")))
        if made._required:
            self._needed.append(made)
        return made

    def _spoken(self, prog: Any = None) -> argparse.ArgumentParser:
        """Python's own parser of the same arguments, which is asked only for its texts."""
        meter.charge(20 * (2 + len(self._added_to) + len(self._groups)))
        said = {name: _short(self._said.get(name)) for name in ("prog", "usage", "description", "epilog")}
        said["prog"] = said["prog"] or prog or "program.py"
        kind = self._said.get("formatter_class")
        name = kind.name[17:-2] if isinstance(kind, Opaque) else ""
        formatter: Any = getattr(argparse, name if name in _FORMATTERS else "HelpFormatter")
        made = argparse.ArgumentParser(
            **said, add_help=bool(self._said.get("add_help", True)), formatter_class=partial(formatter, width=_WIDTH)
        )
        groups: list[Any] = [
            getattr(made, name)(*map(_short, args), **_told(options)) for name, args, options in self._groups
        ]
        for place, names, options in self._added_to:
            (made if place is None else groups[place]).add_argument(*map(_short, names), **_told(options))
        if self._commands is not None:
            self._commands._describe(made)
        return made

    def format_help(self) -> str:
        """What `--help` shows."""
        return self._spoken().format_help()

    def format_usage(self) -> str:
        """Its first line."""
        return self._spoken().format_usage()

    def print_help(self, file: Any = None) -> None:
        """Write what `--help` shows."""
        _print(self.format_help(), file)

    def print_usage(self, file: Any = None) -> None:
        """Write its first line."""
        _print(self.format_usage(), file)

    def add_subparsers(self, **options: Any) -> Commands:
        """What a parser for each command is added to."""
        self._commands = Commands(options.get("dest"), bool(options.get("required")), options)
        return self._commands

    def set_defaults(self, **values: Any) -> None:
        """Change defaults."""
        meter.charge(1 + len(self._arguments))
        self._defaults.update(values)
        for argument in self._arguments:
            argument.default = values.get(argument.target, argument.default)

    def get_default(self, dest: str) -> Any:
        """The default of an argument."""
        meter.charge(1 + len(self._arguments))
        found = next((argument.default for argument in self._arguments if argument.target == dest), None)
        return self._defaults.get(dest) if found is None else found

    def parse_args(self, args: Any = None, namespace: Any = None) -> Parsed:
        """What a list of arguments says, or else the defaults. SystemExit, as on a command line, where it is wrong."""
        parsed, left = self.parse_known_args(args, namespace)
        if left:
            raise host_exception(EXCEPTIONS["SystemExit"](2))
        return parsed

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Parsed, list[str]]:
        """The same, and what no argument is meant by."""
        given = [] if args is None else [*items(args)]
        meter.charge(1 + (1 + len(given)) * (1 + len(self._arguments)))
        found = Parsed() if namespace is None else namespace
        own = not isinstance(found, Parsed)
        values = self._begun(found) if own else found.__dict__
        begun = dict(values) if own else values
        try:
            left = self._read(given, values)
        except _Usage:
            raise host_exception(EXCEPTIONS["SystemExit"](2)) from None
        for name, value in values.items() if own else ():
            if begun.get(name, SUPPRESS) is not value:
                write(found, name, value)
        return found, left

    def _begun(self, namespace: Any) -> dict[str, Any]:
        """What an object of a class of the program has of what is parsed, and the defaults of all else, which it is
        given. Raises TypeError for other objects."""
        kind = type(namespace)
        if isinstance(namespace, type) or kind_of(kind) not in (OWN, MIXED):
            raise TypeError(
                f"a namespace is an argparse.Namespace or an object of a program's class here, not '{kind.__name__}'"
            )
        defaults: dict[str, Any] = {}
        self._fill(defaults)
        for name, value in defaults.items():
            try:
                defaults[name] = read(namespace, name)
            except AttributeError:
                write(namespace, name, value)
        return defaults

    def _fill(self, values: dict[str, Any]) -> None:
        """The defaults of what has no value."""
        for known in self._arguments:
            if known.default is not SUPPRESS:
                values.setdefault(known.target, known.default)
        if self._commands is not None and self._commands._target is not None:
            values.setdefault(self._commands._target, None)
        for name, value in self._defaults.items():
            values.setdefault(name, value)

    def _read(self, given: list[str], values: dict[str, Any]) -> list[str]:
        """Put what is given, and the defaults of everything else, into `values`; returns what is left over."""
        self._fill(values)
        flags = {flag: argument for argument in self._arguments for flag in argument.flags}
        waiting = [argument for argument in self._arguments if not argument.flags]
        seen: set[_Argument] = set()
        left: list[str] = []
        chosen = False
        place = 0
        while place < len(given):
            text = given[place]
            place += 1
            name, equals, behind = text.partition("=")
            argument = self._flag(flags, text if text in flags else name)
            texts = [behind] if argument is not None and equals and text not in flags else []
            if argument is None and text[:2] in flags and text[1] != "-":  # -vvl0.1
                argument = flags[text[:2]]
                meter.charge(1 + (len(text) >> 8))
                if argument.most():
                    texts = [text[2:]]
                else:
                    meter.charge(len(given) - place >> 11)
                    given.insert(place, f"-{text[2:]}")
            if argument is None and text in ("-h", "--help") and self._said.get("add_help", True):
                self.print_help()
                raise host_exception(EXCEPTIONS["SystemExit"](0))
            if argument is None:
                if _is_flag(text):
                    left.append(text)
                    continue
                if waiting:
                    argument, texts = waiting.pop(0), [text]
                elif self._commands is not None and not chosen:
                    left += self._commands._read(text, given[place:], values)
                    chosen, place = True, len(given)
                    continue
                else:
                    left.append(text)
                    continue
            most = argument.most()
            while place < len(given) and (most is None or len(texts) < most) and not _is_flag(given[place]):
                texts.append(given[place])
                place += 1
            if len(texts) < (0 if argument.nargs in ("?", "*") else 1 if most is None else most) or most == 0 and texts:
                raise _Usage
            if argument.action == "version":
                _print(f"{to_text(argument.version)}\n".replace("%(prog)s", self._spoken().prog), None)
                raise host_exception(EXCEPTIONS["SystemExit"](0))
            if argument.rivals and any(one.rivals is argument.rivals and one is not argument for one in seen):
                raise _Usage
            argument.take(name, texts, values)
            seen.add(argument)
        if any(one.required and one not in seen for one in self._arguments):
            raise _Usage
        if any(all(one.rivals is not group for one in seen) for group in self._needed):
            raise _Usage
        if self._commands is not None and self._commands._required and not chosen:
            raise _Usage
        for one in self._arguments:
            default = values.get(one.target)
            if one not in seen and isinstance(default, str) and default is one.default:
                values[one.target] = one.value(default)
        return left

    def _flag(self, flags: dict[str, _Argument], name: str) -> _Argument | None:
        """The argument of a flag, or of the only one that it begins."""
        if name in flags or not name.startswith("--"):
            return flags.get(name)
        scanned(sum(map(len, flags)))
        meter.charge(len(flags) >> 4)
        begun = [flag for flag in flags if flag.startswith(name)]
        return flags[begun[0]] if len(begun) == 1 else None


class Commands:
    """What `add_subparsers` gives."""

    __module__ = "argparse"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, target: str | None, required: bool, options: dict[str, Any]) -> None:
        self._target, self._required, self._options = target, required, options
        self._said: list[tuple[str, dict[str, Any]]] = []
        self._parsers: dict[str, Parser] = {}

    def add_parser(self, name: str, **options: Any) -> Parser:
        """The parser of one command."""
        made = Parser(**options)
        self._said.append((name, options))
        for known in (name, *items(options.get("aliases", ()))):
            self._parsers[known] = made
        return made

    def _describe(self, made: argparse.ArgumentParser) -> None:
        commands: Any = made.add_subparsers(**_told({"parser_class": argparse.ArgumentParser, **self._options}))
        for name, options in self._said:
            commands.add_parser(_short(name), **_told(options))

    def _read(self, name: str, given: list[str], values: dict[str, Any]) -> list[str]:
        parser = self._parsers.get(name)
        if parser is None:
            raise _Usage
        if self._target is not None:
            values[self._target] = name
        found: dict[str, Any] = {}
        left = parser._read(given, found)
        values |= found
        return left


def _is_flag(text: str) -> bool:
    """Whether a text names an argument: a negative number does not."""
    return len(text) > 1 and text[0] == "-" and " " not in text and not _NEGATIVE.fullmatch(text)


Parser.__name__ = Parser.__qualname__ = "ArgumentParser"
Group.__name__ = Group.__qualname__ = "_ArgumentGroup"
Commands.__name__ = Commands.__qualname__ = "_SubParsersAction"

_FORMATTERS = (
    "HelpFormatter", "RawDescriptionHelpFormatter", "RawTextHelpFormatter", "ArgumentDefaultsHelpFormatter",
    "MetavarTypeHelpFormatter",
)  # fmt: skip
MODULES: dict[str, dict[str, Any]] = {
    "argparse": {
        "ArgumentParser": Parser, "Namespace": Parsed, "SUPPRESS": SUPPRESS, "ArgumentTypeError": ARGUMENT_TYPE_ERROR,
        "BooleanOptionalAction": BOTH_WAYS, **{name: Opaque(f"<class 'argparse.{name}'>") for name in _FORMATTERS},
    }
}  # fmt: skip
