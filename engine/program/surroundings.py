"""What a program finds around it, made before anything is known of the program: a process can have it ready."""

from __future__ import annotations

import atexit
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType, ModuleType
from typing import Any

from engine import settings
from engine.program import imports, packages
from engine.program.floats import FloatErrors
from engine.program.places import ENGINE, FILE
from engine.program.world import World, world

_ready: list[World] = []
"""What the next program finds, if it is there already."""
_open = ExitStack()


def prepare(outside: Iterable[ModuleType] = ()) -> None:
    """Make the surroundings of the next program now, and the engine as it finds it. Code of modules `outside` goes on
    with the machine's files."""
    leave()
    _ready.append(_open.enter_context(_made(outside)))
    settings.fresh_ahead()


def leave() -> None:
    """Undo what `prepare` did, whether a program has run since or not."""
    _ready.clear()
    _open.close()
    settings.not_ahead()


atexit.register(leave)


@contextmanager
def surroundings() -> Iterator[World]:
    """Where one program runs. What was prepared stays after it, until something else is wanted."""
    if _ready:
        yield _ready.pop()
    else:
        leave()
        with _made() as made:
            yield made


@contextmanager
def _made(outside: Iterable[ModuleType] = ()) -> Iterator[World]:
    modules = imports.torch_modules()
    with ExitStack() as undone:
        undone.callback(put_back, {name: sys.modules.get(name) for name in modules})
        sys.modules.update(modules)
        undone.enter_context(FloatErrors().handled())
        undone.enter_context(imports.offline())
        undone.enter_context(packages.shown(imports.versions(), modules))
        made = undone.enter_context(world(outside))
        undone.callback(setattr, inspect, "getouterframes", inspect.getouterframes)
        inspect.getouterframes = _outer_frames(inspect.getouterframes)
        yield made


def put_back(modules: dict[str, ModuleType | None]) -> None:
    """Make `sys.modules` what it was."""
    for name, module in modules.items():
        if module is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = module


def _outer_frames(real: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """`inspect.getouterframes`, to the program's outermost."""

    def getouterframes(frame: FrameType, context: int = 1) -> list[Any]:
        found = real(frame, context)
        while found and found[-1].frame.f_code.co_filename is not FILE:
            found.pop()
        return [each for each in found if not each.frame.f_code.co_filename.startswith(ENGINE)]

    return getouterframes
