"""`re`, on matchers whose work is bounded by the fuel (`engine.program.regex`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.calls import call
from engine.program.charges import grow, made
from engine.program.exceptions import class_of
from engine.program.methods import offer
from engine.program.regex import Program, Spans, at_start, compiled, matches
from engine.program.text import represent
from engine.program.values import Builtin

_FLAGS = "ASCII A IGNORECASE I LOCALE L UNICODE U MULTILINE M DOTALL S VERBOSE X"


class Match:
    """`re.Match`."""

    __module__ = "re"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, pattern: Pattern, string: str, spans: Spans, pos: int, endpos: int) -> None:
        self.re, self.string, self.pos, self.endpos = pattern, string, pos, endpos
        self._spans = spans

    def _place(self, group: Any) -> int:
        if isinstance(group, str):
            found = self.re.groupindex.get(group, -1)
        else:
            found = group if isinstance(group, int) else -1
        if not 0 <= found <= self.re.groups:
            raise IndexError("no such group")
        return 2 * found

    def _text(self, group: Any, default: Any = None) -> Any:
        place = self._place(group)
        start, end = self._spans[place : place + 2]
        if start < 0 or end < 0:
            return default
        grow(end - start)
        return self.string[start:end]

    def group(self, *groups: Any) -> Any:
        if len(groups) < 2:
            return self._text(groups[0] if groups else 0)
        return tuple([self._text(group) for group in groups])

    def __getitem__(self, group: Any) -> Any:
        return self._text(group)

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        made(self.re.groups)
        return tuple([self._text(group, default) for group in range(1, self.re.groups + 1)])

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        made(self.re.groups)
        return {name: self._text(number, default) for name, number in self.re.groupindex.items()}

    def span(self, group: Any = 0) -> tuple[int, int]:
        place = self._place(group)
        return self._spans[place], self._spans[place + 1]

    def start(self, group: Any = 0) -> int:
        return self.span(group)[0]

    def end(self, group: Any = 0) -> int:
        return self.span(group)[1]

    @property
    def regs(self) -> tuple[tuple[int, int], ...]:
        made(self.re.groups)
        return tuple([self.span(group) for group in range(self.re.groups + 1)])

    @property
    def lastindex(self) -> int | None:
        """The group that was closed last: of two that end where the match does, the one around the other."""
        last, spans = None, self.regs
        for group, (start, end) in enumerate(spans[1:], 1):
            if start >= 0 and (last is None or end > spans[last][1] or start == end == spans[last][1]):
                last = group
        return last

    @property
    def lastgroup(self) -> str | None:
        last = self.lastindex
        return next((name for name, number in self.re.groupindex.items() if number == last), None)

    def expand(self, template: Any) -> Any:
        return self.re._expanded(template, self)

    def __repr__(self) -> str:
        return f"<re.Match object; span={self.span()}, match={represent(self._text(0))[:50]}>"


class Pattern:
    """`re.Pattern`."""

    __module__ = "re"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, program: Program, of_bytes: bool = False) -> None:
        self._program = program
        self.pattern: Any = program.pattern
        self.flags, self.groups = program.flags, program.groups
        self._none: Any = b"" if of_bytes else ""
        if of_bytes:  # matched letter by letter, as Python does
            self.pattern, self.flags = program.pattern.encode("latin-1"), int(program.flags) & ~re.ASCII.value
        self.groupindex = dict(program.names)

    def _range(self, string: Any, pos: int, endpos: int | None) -> tuple[int, int]:
        if not isinstance(string, type(self._none)):
            if isinstance(string, bytes):
                raise TypeError("cannot use a string pattern on a bytes-like object")
            if isinstance(string, str):
                raise TypeError("cannot use a bytes pattern on a string-like object")
            raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")
        end = len(string) if endpos is None else max(0, min(endpos, len(string)))
        return max(0, min(pos, len(string))), end

    def _letters(self, string: Any) -> str:
        if isinstance(string, str):
            return string
        grow(len(string))
        return str(string, "latin-1")

    def _each(self, string: Any, pos: int = 0, endpos: int | None = None) -> Iterator[Match]:
        start, end = self._range(string, pos, endpos)
        for spans in matches(self._program, self._letters(string), start, end):
            yield Match(self, string, spans, start, end)

    def _first(self, string: str, pos: int, endpos: int | None, whole: bool) -> Match | None:
        start, end = self._range(string, pos, endpos)
        spans = at_start(self._program, self._letters(string), start, end, whole)
        return None if spans is None else Match(self, string, spans, start, end)

    def search(self, string: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return next(self._each(string, pos, endpos), None)

    def match(self, string: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return self._first(string, pos, endpos, False)

    def fullmatch(self, string: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return self._first(string, pos, endpos, True)

    def finditer(self, string: str, pos: int = 0, endpos: int | None = None) -> Iterator[Match]:
        return self._each(string, pos, endpos)

    def findall(self, string: str, pos: int = 0, endpos: int | None = None) -> list[Any]:
        found = []
        for match in self._each(string, pos, endpos):
            groups = match.groups(self._none)
            found.append(match.group() if not groups else groups[0] if len(groups) == 1 else groups)
            if not len(found) & 63:
                made(2 * 64)
                meter.check_length(len(found))
        return found

    def split(self, string: str, maxsplit: int = 0) -> list[Any]:
        parts: list[Any] = []
        at = 0
        for count, match in enumerate(self._each(string)):
            if maxsplit and count >= maxsplit:
                break
            parts += [string[at : match.start()], *match.groups()]
            at = match.end()
            made(2)
            meter.check_length(len(parts))
        grow(len(string))
        return [*parts, string[at:]]

    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        return self.subn(repl, string, count)[0]

    def subn(self, repl: Any, string: Any, count: int = 0) -> tuple[Any, int]:
        parts: list[Any] = []
        at = number = length = 0
        kind: Any = type(self._none)
        plain = isinstance(repl, kind) and (b"\\" if kind is bytes else "\\") not in repl
        for match in self._each(string):
            if count and number >= count:
                break
            if plain:
                text = repl
            else:
                text = self._expanded(repl, match) if isinstance(repl, str | bytes) else call(repl, [match], None)
                if not isinstance(text, kind):
                    if text is not None:
                        wanted = "str instance" if kind is str else "a bytes-like object"
                        raise TypeError(
                            f"sequence item {len(parts)}: expected {wanted}, {type(text).__name__} found"
                        )
                    text = self._none
            start, end = match.span()
            parts += [string[at:start], text]
            at = end
            number += 1
            length += len(text)
            meter.check_length(length)
        grow(length + len(string))
        return self._none.join([*parts, string[at:]]), number

    def _expanded(self, template: Any, match: Match) -> Any:
        letters = self._letters(template)
        grow(len(letters))
        made(2 * letters.count("\\"))
        parts = []
        for part in _template(letters):
            text: Any
            if isinstance(part, str):
                text = part if isinstance(template, str) else part.encode("latin-1")
            else:
                text = match._text(self._group(part[0], part[1]), self._none)
            grow(len(text))
            parts.append(text)
        return self._none.join(parts)

    def _group(self, name: str, at: int) -> int:
        if name.isdigit():
            if int(name) > self.groups:
                raise re.error(f"invalid group reference {int(name)}", name, at)
            return int(name)
        if name not in self.groupindex:
            raise IndexError(f"unknown group name {represent(name)}")
        return self.groupindex[name]

    def __repr__(self) -> str:
        names = [name for name in _FLAGS.split() if len(name) > 1 and self.flags & getattr(re, name)]
        flags = "|".join(f"re.{name}" for name in names if name != "UNICODE")
        return f"re.compile({represent(self.pattern)[:200]}{', ' + flags if flags else ''})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and (self.pattern, self.flags) == (other.pattern, other.flags)

    def __hash__(self) -> int:
        return hash((self.pattern, self.flags))


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "f": "\f", "v": "\v", "b": "\b", "\\": "\\"}


def _template(template: str) -> Iterator[str | tuple[str, int]]:
    """The parts of a replacement: texts, and groups as (name or number, where it stands)."""
    at = 0
    while at < len(template):
        backslash = template.find("\\", at)
        if backslash < 0:
            yield template[at:]
            return
        yield template[at:backslash]
        letter = template[backslash + 1 : backslash + 2]
        at = backslash + 2
        if letter == "g":
            end = template.find(">", at)
            if template[at : at + 1] != "<":
                raise re.error("missing <", template, at)
            if end < 0:
                raise re.error("missing >, unterminated name", template, at + 1)
            yield template[at + 1 : end], at + 1
            at = end + 1
        elif letter.isdigit() and letter != "0":
            if template[at : at + 1].isdigit():
                letter += template[at]
                at += 1
            yield letter, backslash + 1
        elif letter == "0":
            yield "\0"
        elif letter in _ESCAPES:
            yield _ESCAPES[letter]
        elif letter.isascii() and letter.isalpha():
            raise re.error(f"bad escape \\{letter}", template, backslash)
        elif not letter:
            raise re.error("bad escape (end of pattern)", template, backslash)
        else:
            yield "\\" + letter


for _kind in (Match, Pattern):
    _kind.__qualname__ = _kind.__name__


def _compile(pattern: Any, flags: int = 0) -> Pattern:
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, str | bytes):
        raise TypeError("first argument must be string or compiled pattern")
    known: Any = sessions.active.settings.setdefault(("re", "compiled"), {})
    found = known.get((pattern, int(flags)))
    if found is None:
        if len(known) > 500:
            known.clear()
        if isinstance(pattern, bytes):
            found = Pattern(compiled(str(pattern, "latin-1"), int(flags) | re.ASCII), True)
        else:
            found = Pattern(compiled(pattern, int(flags)))
        known[pattern, int(flags)] = found
    return found  # type: ignore[no-any-return]


def _function(name: str) -> Builtin:
    method = getattr(Pattern, name)

    def run(pattern: Any, *args: Any, flags: int = 0, **kwargs: Any) -> Any:
        most = {"sub": 3, "subn": 3, "split": 2}.get(name, 1)
        if len(args) > most:
            *args, flags = args  # type: ignore[assignment]
        return method(_compile(pattern, flags), *args, **kwargs)

    return Builtin(name, run)


def _escape(pattern: Any) -> Any:
    grow(2 * len(pattern))
    return re.escape(pattern)


offer(re.RegexFlag, {}, "name value", {})

MODULES: dict[str, dict[str, Any]] = {
    "re": {
        **{name: getattr(re, name) for name in _FLAGS.split()},
        "NOFLAG": re.NOFLAG,
        "RegexFlag": re.RegexFlag,
        **{name: _function(name) for name in "search match fullmatch findall finditer split sub subn".split()},
        "compile": Builtin("compile", _compile),
        "escape": Builtin("escape", _escape),
        "purge": Builtin("purge", lambda: None),
        "error": class_of(re.error),
        "Match": Match,
        "Pattern": Pattern,
    }
}
