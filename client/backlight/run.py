"""One recorded run: recorded by `with`, as a decorator or from a graph that exists, and what can be done with it."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import torch

from . import export
from .builder import NOT_RECORDED, build, encoded
from .comparison import Comparison, compare
from .errors import described, tidy
from .limits import Limits
from .naming import module_paths
from .notebook import CARRIER
from .recorder import Code, Recorder
from .recorder.nodes import is_leaf
from .recorder.owners import said
from .recorder.surroundings import variables_of
from .showing import show


class Run:
    """A recording. `document` is there when it is over: a dict, described in docs/trace.md of Backlight."""

    def __init__(
        self, limits: Limits | None = None, argv: list[str] | None = None, code: Code | None = None,
        seconds: bool = False,
    ) -> None:  # fmt: skip
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError("limits are a backlight.Limits, as in backlight.Limits(ops=1000)")
        self.limits = limits or Limits()
        self.argv = argv
        said(code)  # what is wrong with it is told here
        self.code, self.seconds = code, seconds
        self._document: dict[str, Any] | None = None
        self._recorder: Recorder | None = None
        self._frame: FrameType | None = None
        self._variables: Mapping[str, Any] | None = None

    @property
    def document(self) -> dict[str, Any]:
        """The document; a RuntimeError before the recording is over."""
        if self._document is None:
            raise RuntimeError("nothing is recorded yet: the document is made when the recorded block has ended")
        return self._document

    @property
    def recorder(self) -> Recorder | None:
        """What records, while it does."""
        return self._recorder

    # Recording

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A decorator: `@backlight.capture(limits=…)` records each call of a function, as `@backlight.capture` does."""
        return recorded(function, self.limits, self.code, self.seconds)

    def __enter__(self) -> Run:
        frame = sys._getframe(1)
        self._frame = frame
        self.begin(frame.f_code.co_filename, frame)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end(error)

    def begin(self, main: str, frame: FrameType | None = None, called: Any = None) -> None:
        """Start recording. `main`: the file whose text the document shows; `frame`: where it goes on, if it does."""
        if self._recorder is not None or self._document is not None:
            raise RuntimeError("a Run records once: call backlight.capture() again")
        self._recorder = Recorder(main, self.limits, self.code, self.seconds)
        if frame is not None:
            self._recorder.hooks.paths = module_paths(variables_of(frame))
        self._recorder.start(frame, called)

    def end(
        self, error: BaseException | None = None, variables: Mapping[str, Any] | None = None, *, every: bool = True
    ) -> None:
        """Stop recording and make the document. `variables`: what names tensors; all of them are in it, or, where not
        `every` one is to be, those that something else leads to."""
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            raise RuntimeError(
                "nothing is being recorded: with backlight.capture() as run: begins and ends a recording"
            )
        recorder.stop()
        recorder.settle()
        frame, self._frame = self._frame, None
        names = variables if variables is not None else recorder.names
        if names is None:
            names = {} if frame is None else variables_of(frame)
        told = None if error is None else described(recorder.recording, error)
        tidy(error)
        self._document = build(recorder, names, every=every and variables is not None, error=told, argv=self.argv)
        recorder.forget()

    # What can be done with it

    def save(self, path: str | Path, *, source: bool = True) -> None:
        """Write a file: `.html` (or `.htm`) is the page that plays the run, `.json` its document.

        Without `source` it has neither the text of the program's files nor the folders that they are in.
        """
        target = Path(path)
        text = encoded(self._shared(source)) if is_document(target) else self.html(source=source)
        target.write_text(text, "utf-8")

    def html(self, *, source: bool = True) -> str:
        """The page that plays the run, whole in one file; without `source` as `save` leaves that out."""
        return export.page(self._shared(source))

    def _shared(self, source: bool) -> dict[str, Any]:
        return self.document if source else export.without_source(self.document)

    def show(self) -> None:
        """Play the run: in the output of a notebook's cell, else in a browser; without one, print where the page is."""
        show(self, self.html)

    def compare(self, other: Any, path: str | os.PathLike[str] | None = None) -> Comparison:
        """This run beside a later one, as `backlight.compare(self, other, path)`."""
        return compare(self, other, path)

    def _repr_html_(self) -> str:
        """What a notebook shows: the page, apart from the notebook and without its rights."""
        carries = CARRIER.carries()
        return export.frame(self.document) if carries is None else export.shared_frame(self.document, carries)

    def __repr__(self) -> str:
        if self._document is None:
            return "<backlight.Run, not over yet>"
        recorded = self._document["limits"]["recorded"]
        cut = self._document["limits"]["truncated"]
        told = f"{recorded['ops']} ops, {recorded['passes']} backward passes, {len(self._document['nodes'])} nodes"
        apart = any(warning["category"] == NOT_RECORDED for warning in self._document["warnings"])
        notes = f"{f', cut at {cut}' if cut else ''}{', not what other threads ran' if apart else ''}"
        return f"<backlight.Run: {told}{notes}>"


def is_document(path: Path) -> bool:
    """Whether a file by its name is a document, or else a page; a ValueError where it is neither."""
    suffix = path.suffix.lower()
    if suffix not in (".html", ".htm", ".json"):
        raise ValueError(f"{path.name}: a run is saved as .html or .json")
    return suffix == ".json"


def opened(document: dict[str, Any]) -> Run:
    """A run whose document there is."""
    run = Run()
    run._document = document
    return run


_LATER = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)


def recorded(
    function: Callable[..., Any], limits: Limits | None, code: Code | None, seconds: bool = False
) -> Callable[..., Any]:
    """`function`, recorded each time it is called; its `run` is the last recording."""
    if any(later(function) for later in _LATER):
        name = getattr(function, "__name__", "this")
        raise TypeError(f"a call of {name} runs nothing yet: record where it does, with backlight.capture() as run:")

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        run = call.run = Run(limits, code=code, seconds=seconds)  # type: ignore[attr-defined]
        called = getattr(function, "__code__", None)
        run.begin(sys._getframe(1).f_code.co_filename if called is None else called.co_filename, None, called)
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            run.end(error)
            raise
        run.end()
        return result

    call.run = None  # type: ignore[attr-defined]
    return call


def graph_of(tensor: torch.Tensor, frame: FrameType, limits: Limits, code: Code | None) -> Run:
    """A run of what leads to a tensor: nodes, saved tensors and leaves, but nothing that happened."""
    run = Run(limits)
    recorder = Recorder(frame.f_code.co_filename, limits, code)
    recording = recorder.recording
    recording.over = True
    with recording.silently():
        recording.tensor(tensor, recording.user(frame))
        if tensor.grad_fn is not None:
            recording.nodes.ref(tensor.grad_fn)
            recording.nodes.close()
            for node in filter(is_leaf, recording.nodes.list):
                recording.tensor(node.variable)
    run._document = build(recorder, variables_of(frame), every=False, error=None, argv=None)
    recorder.forget()
    return run
