"""`print` of programs, which asks `__torch_function__` as if the program itself asked for the texts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from engine.program.outcome import Output


def printing(real: Callable[..., None]) -> Callable[..., None]:
    """`print` that writes each call in one piece."""

    def print(
        *args: object, sep: str | None = " ", end: str | None = "\n", file: Any = None, flush: bool = False
    ) -> None:
        target = sys.stdout if file is None else file
        if type(target) is not Output or not (sep is None or type(sep) is str) or not (end is None or type(end) is str):
            real(*args, sep=sep, end=end, file=target, flush=flush)
            return
        between = " " if sep is None else sep
        texts = list[str]()
        try:
            for value in args:
                texts.append(str(value))
        except BaseException:
            if texts:
                target.keep(between.join(texts) + between)
            raise
        target.keep(between.join(texts) + ("\n" if end is None else end))

    print.__qualname__, print.__module__ = "print", "builtins"
    return print
