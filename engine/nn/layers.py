"""Layers as rows: what their constructor takes, what they compute of it, and what they show of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from engine.nn import functional
from engine.nn.tuples import for_each

C = TypeVar("C", bound=type)

LEGACY = 'size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"'
"""Options of losses, of which the first two are deprecated."""

_SIZES = {1: "L", 2: "H, W", 3: "D, H, W"}


def layer(
    options: str, call: str, shown: str = "", *, takes: str = "input: Tensor", base: str = "", **also: str
) -> Callable[[C], C]:
    """Decorate a class whose `__init__`, `forward` and `extra_repr` follow from a row.

    `options`: the parameters of `__init__`, each of which becomes an attribute unless the base has it (`base`: its
    arguments); `also`: attributes that have another value than the option of their name. `call`: what `forward`
    returns, which takes `takes`. `shown`: names of attributes for `extra_repr`, `inplace` only where it is true, or the
    text itself with the values in braces. Methods that the class has itself stay, and without options the constructor.
    """

    def decorate(cls: C) -> C:
        names = [option.partition(":")[0].strip() for option in options.split(", ") if ":" in option]
        passed = base.replace("=", ", ").split(", ")
        kept = [f"    self.{name} = {also.get(name, name)}" for name in names if name not in passed]
        made = [f"def __init__(self, {options}) -> None:", f"    super().__init__({base})", *kept]
        lines = [*(made if options else []), f"def forward(self, {takes}) -> Tensor:", f"    return {call}"]
        if shown:
            lines += ["def extra_repr(self) -> str:", f"    return {_text(shown)}"]
        body = "\n    ".join(lines)
        source = f"from __future__ import annotations\ndef methods(__class__):\n    {body}\n    return locals()"
        scope: dict[str, Any] = {"__name__": cls.__module__, "F": functional, "for_each": for_each}
        exec(compile(source, f"<{cls.__name__}>", "exec"), scope)
        for name, method in scope["methods"](cls).items():
            if name[:2] + name[-2:] != "____" or name == "__init__":
                if name not in vars(cls):
                    method.__qualname__ = f"{cls.__name__}.{name}"
                    setattr(cls, name, method)
        return cls

    return decorate


def _text(shown: str) -> str:
    """The expression for what `extra_repr` says."""
    if "{" in shown:
        return f"f{shown!r}"
    *names, last = shown.split()
    if last != "inplace":
        return 'f"' + ", ".join(f"{name}={{self.{name}}}" for name in (*names, last)) + '"'
    if not names:
        return '"inplace=True" if self.inplace else ""'
    return _text(" ".join(names)) + ' + (", inplace=True" if self.inplace else "")'


def unusual(layer: Any, **usual: Any) -> str:
    """`, name=value` for each option of a layer that has not its usual value."""
    options = [(name, getattr(layer, name), value) for name, value in usual.items()]
    differ = [(name, own) for name, own, value in options if own is not value and (own != value or type(value) is bool)]
    return "".join([f", {name}={own}" for name, own in differ])


def of_ranks(base: Any, says: str, ranks: Sequence[int] = (1, 2, 3)) -> list[Any]:
    """The classes of a base `_NameNd` for so many dimensions: `Name1d` …

    `says`: their docstring with `{n}`, and with `{batch}` and `{sample}` for (N, C, L) and (C, L).
    """
    stem, made = base.__name__.removeprefix("_").removesuffix("Nd"), []
    for n in ranks:
        doc = says.format(n=n, batch=f"(N, C, {_SIZES[n]})", sample=f"(C, {_SIZES[n]})")
        made.append(type(base)(f"{stem}{n}d", (base,), {"__module__": base.__module__, "__doc__": doc, "_rank": n}))
    return made
