"""`str.format`. Python's own reaches attributes: here fields are looked up with the program's attribute rules."""

from __future__ import annotations

from _string import formatter_field_name_split, formatter_parser  # type: ignore[import-not-found]
from typing import Any

from engine.limits import meter
from engine.program.attributes import read
from engine.program.charges import grow
from engine.program.items import subscript
from engine.program.text import convert, format_value


def format_method(template: str, args: tuple[Any, ...], kwargs: Any) -> str:
    """`template.format(*args, **kwargs)`."""
    return _Template(args, kwargs).render(template, 2)


class _Template:
    def __init__(self, args: tuple[Any, ...], kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs
        self.automatic = 0
        self.manual = False
        self.length = 0

    def render(self, template: str, depth: int) -> str:
        if depth == 0:
            raise ValueError("Max string recursion exceeded")
        out = []
        for literal, name, spec, conversion in formatter_parser(template):
            text = literal
            if name is not None:
                value = convert(self.field(name), conversion)
                if conversion is not None and conversion not in "rsa":
                    raise ValueError(f"Unknown conversion specifier {conversion}")
                text += format_value(value, self.render(spec, depth - 1) if spec else "")
            self.length += len(text)
            grow(self.length)
            out.append(text)
        return "".join(out)

    def field(self, name: str) -> Any:
        first, rest = formatter_field_name_split(name)
        if first == "":
            if self.manual:
                raise ValueError("cannot switch from manual field specification to automatic field numbering")
            first = self.automatic
            self.automatic += 1
        elif isinstance(first, int):
            if self.automatic:
                raise ValueError("cannot switch from automatic field numbering to manual field specification")
            self.manual = True
        if isinstance(first, int):
            if first >= len(self.args):
                raise IndexError(f"Replacement index {first} out of range for positional args tuple")
            value = self.args[first]
        else:
            value = self.kwargs[first]
        for is_attribute, key in rest:
            meter.charge(1)
            value = read(value, key) if is_attribute else subscript(value, key)
        return value
