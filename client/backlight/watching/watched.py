"""The hook that sees iterations end, and what is done with those that are recorded."""

from __future__ import annotations

import base64
import importlib
import os
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import torch
import torch._compile
from torch.optim import optimizer as optimizers

from .. import export
from ..limits import Limits
from ..naming import module_paths
from ..notebook import display, running_shell
from ..recorder import Code, Recorder
from ..recorder.owners import TORCH
from ..recorder.positions import USER, Positions
from ..recorder.surroundings import variables_of
from ..run import Run, opened
from ..showing import show
from .columns import Column, columns_of, rows_of, without_folders
from .control import Control
from .log import Log, pack, unpack
from .pages import whole
from .shown import Shown

_uncompiled: Any = torch._compile._disable_dynamo
"""What a compiled step calls stays as it is written."""

Models = torch.nn.Module | Iterable[torch.nn.Module]
Optimizers = torch.optim.Optimizer | Iterable[torch.optim.Optimizer]

_watched: weakref.WeakSet[Watched] = weakref.WeakSet()


class Watched:
    """A training that is watched. `iteration`: how many have ended."""

    def __init__(
        self, model: Models, optimizer: Optimizers, *, every: int, keep: int, limits: Limits | None, code: Code | None,
        seconds: bool, frame: FrameType,
    ) -> None:  # fmt: skip
        models, steps = _listed(model, torch.nn.Module, "modules"), _optimizers(optimizer)
        _related(models, steps)
        for name, number in (("every", every), ("keep", keep)):
            if type(number) is not int or number < 1:
                raise ValueError(f"{name} is a number of iterations, at least 1, not {number!r}")
        self.limits, self.code, self.seconds = limits, code, seconds
        self.iteration = 0
        self.every, self.log, self.control = every, Log(keep), Control()
        self._shown = Shown(every, self.log, self.control)
        self._names = {"model": models[0], "optimizer": steps[-1]}
        self._main = frame.f_code.co_filename
        self._positions = Positions(self._main, code)
        self._run: Run | None = None
        self._thread = 0
        self._elsewhere: list[Run] = []
        self._again = False
        self._columns: list[Column] = []
        self._server: Any = None
        self._handle: Any = steps[-1].register_step_post_hook(_uncompiled(lambda *_: self._stepped()))
        self._begin(frame)
        _close_in_children()
        _watched.add(self)
        self._serve()

    # The training

    def _stepped(self) -> None:
        """A step of the optimizer is over, and with it an iteration."""
        self.iteration += 1
        self.control.iteration = self.iteration
        if self._run is None and self.iteration % self.every and not self._again and not self.control.paused:
            return
        frame = sys._getframe(1)
        self._guarded(self._later if _is_compiled(frame) else self._between, frame)

    def _guarded(self, act: Callable[[FrameType], None], frame: FrameType) -> None:
        try:
            act(frame)
        except Exception as error:
            self._fail(error)

    def _between(self, frame: FrameType) -> None:
        recorded = self._run is not None and self._end(frame)
        if recorded and self.control.paused:
            self.control.wait()
        if self._again or self.control.paused or self.iteration % self.every == 0:
            self._begin(frame)

    def _later(self, frame: FrameType) -> None:
        """Do it at the next line of the user's code: when a compiled step ends, PyTorch puts modes back."""
        users, trace = self._users(frame), sys.gettrace()
        recorder = None if self._run is None else self._run.recorder
        if not users or trace is not (None if recorder is None else recorder.recording.trace):
            raise RuntimeError("the optimizer's step is compiled, and a debugger is at work: compile the model alone")
        user = users[0]
        before = user.f_trace

        def arrived(_: FrameType, event: str, __: Any) -> None:
            user.f_trace = before
            sys.settrace(trace)
            self._guarded(self._between, user)

        user.f_trace = arrived
        if trace is None:
            sys.settrace(lambda *_: None)

    def _begin(self, frame: FrameType) -> None:
        """Record the iteration that comes."""
        self._again = False
        frames = self._users(frame)
        run = Run(self.limits, code=self.code, seconds=self.seconds)
        run.begin(self._main, frames[0] if frames else None)
        self._run, self._thread = run, threading.get_ident()
        assert run.recorder is not None
        run.recorder.hooks.paths = module_paths(self._variables(frames))

    def _end(self, frame: FrameType, error: BaseException | None = None) -> bool:
        """The recorded iteration is over; whether there was a backward pass in it, or the error that ended it."""
        run, self._run = self._run, None
        assert run is not None
        if threading.get_ident() != self._thread:
            self._elsewhere.append(run)  # what it has set in its thread is undone there
            self._again = True
            return False
        recorder = run.recorder
        assert recorder is not None
        recorder.names = self._variables(self._users(frame))
        recorder.training.told = lambda: self._told(recorder)
        run.end(error)
        recorder.training.told = None
        document = run.document
        self._again = not (document["limits"]["recorded"]["passes"] or error)
        if self._again:
            return False
        document.pop("training", None)
        iteration = self.iteration if error is not None else self.iteration - 1
        known = [entry.iteration for entry in self.log.entries]
        for row in document.get("findings", ()):
            if "since" in row:
                row["since"] = [*known, iteration][row["since"]]
        with self.control.changed:
            self.log.add(iteration, document, self._columns)
        self.control.tell()
        return True

    def _told(self, recorder: Recorder) -> list[Any]:
        """What the document of a recording tells of the training up to there, by which findings are found."""
        recording, training = recorder.recording, recorder.training
        files = recording.positions.files
        self._columns = own = columns_of(training, files, lambda leaf: recording.tensor(leaf).name)
        return rows_of(
            training, files, own, self.log.columns(), self.iteration,
            lambda leaf: recording.tensor(leaf).id, lambda leaf: recording.tensor(leaf).name,
        )  # fmt: skip

    def _users(self, frame: FrameType | None) -> list[FrameType]:
        """The frames of the user's code above one, the innermost first."""
        found = []
        while frame is not None:
            if self._positions.kind(frame.f_code) == USER:
                found.append(frame)
            frame = frame.f_back
        return found

    def _variables(self, frames: list[FrameType]) -> dict[str, Any]:
        """What names tensors: variables of these frames, and what is watched if none of them holds it."""
        names: dict[str, Any] = {}
        for frame in reversed(frames):
            names.update(variables_of(frame))
        held = {id(value) for value in names.values()}
        return {**{name: value for name, value in self._names.items() if id(value) not in held}, **names}

    def _fail(self, error: Exception) -> None:
        """Watching went wrong, which is no business of the training."""
        self._off()
        told = f"watching ended at iteration {self.iteration}: {type(error).__name__}: {error}"
        self.control.tell(told, over=True)
        warnings.warn(f"backlight: {told}", RuntimeWarning, stacklevel=4)

    # Its end

    def __enter__(self) -> Watched:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop(sys._getframe(1), error)

    def stop(self) -> None:
        """End watching; what is recorded stays, and its page can be looked at while this process runs."""
        self._stop(sys._getframe(1), None)

    def _stop(self, frame: FrameType, error: BaseException | None) -> None:
        if self._handle is None:
            return
        try:
            if self._run is not None:
                self._end(frame, error)
        except Exception as problem:
            self._fail(problem)
        self._off()
        told = None if error is None else f"{type(error).__name__} ended iteration {self.iteration}"
        self.control.tell(told and f"{told}: {error}".removesuffix(": "), over=True)
        if self._server is None and running_shell() is not None and self.log.kept():
            display(self)

    def _off(self) -> None:
        """Let the training alone."""
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.remove()
        run, self._run = self._run, None
        left, self._elsewhere = [*self._elsewhere, run], []
        for each in left:
            if each is not None and each.recorder is not None:
                with suppress(Exception):
                    each.recorder.stop()

    def _in_child(self) -> None:
        """This is a copy in another process, which trains nothing."""
        with suppress(Exception):
            self._off()
        if self._server is not None:
            self._server.drop()

    # The page

    @property
    def url(self) -> str | None:
        """The address of the page, which this machine alone can open; None where nothing can be served."""
        return None if self._server is None else self._server.url

    @property
    def iterations(self) -> list[int]:
        """Those whose recordings are kept, counted from 0."""
        return [entry.iteration for entry in self.log.kept()]

    def run(self, iteration: int) -> Run:
        """The recording of one of `iterations`, with all that a `Run` can do; a KeyError where there is none."""
        return opened(self.log.document(iteration))

    def save(self, path: str | Path, *, source: bool = True) -> None:
        """Write the page with all recordings that are kept, whole in one `.html` file; without `source` as `Run.save`
        leaves that out."""
        target = Path(path)
        if target.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"{target.name}: a training is saved as .html; .run(iteration).save writes the others")
        target.write_text(self.html(source=source), "utf-8")

    def html(self, *, source: bool = True) -> str:
        """The page with all recordings that are kept."""
        told = self._shown.told(-1)
        documents: dict[str, str] = {}
        for iteration in self.iterations:
            packed = self._shown.packed(iteration)
            if packed is not None and not source:
                packed = pack(export.without_source(unpack(packed)))
            if packed is not None:
                documents[str(iteration)] = base64.b64encode(packed).decode("ascii")
        return whole(told if source else without_folders(told), documents)

    def show(self) -> None:
        """Open the page: in the output of a notebook's cell, else in a browser; without one, print its address."""
        show(self, self.url or self.html)

    def _serve(self) -> None:
        """Have the page at an address, where this Python has threads and sockets for that, and say where it is."""
        shell = running_shell()
        if "google.colab" not in sys.modules:  # whose pages are not on this machine
            with suppress(ImportError, OSError, RuntimeError):  # as where there are no sockets or threads
                self._server = importlib.import_module(".server", __package__).Server(self._shown)
                weakref.finalize(self, self._server.close)
        if self._server is None:
            print("backlight: no page can be served here. It is shown when watching ends; .save writes it.")
        elif shell is None or not display(self):
            print(f"backlight: watch the training at {self.url}", file=sys.stderr)

    def _repr_html_(self) -> str:
        """What a notebook shows: the page that goes on, or as it is now where none is served."""
        return export.framed(self.html()) if self.url is None else export.frame_at(self.url)

    def __repr__(self) -> str:
        found = len(self.log.findings)
        recorded = f"{len(self.log.entries)} iterations recorded, {found} finding{'' if found == 1 else 's'}"
        where = "" if self.url is None else f", {self.url}"
        return f"<backlight.Watched: iteration {self.iteration}, {recorded}{where}>"


def _is_compiled(frame: FrameType | None) -> bool:
    """Whether the step of an optimizer, in a frame above, was called by what `torch.compile` made."""
    while frame is not None and frame.f_code.co_filename != optimizers.__file__:
        frame = frame.f_back
    while frame is not None and frame.f_code.co_filename.startswith(TORCH):
        if frame.f_code.co_filename.endswith("eval_frame.py"):
            return True
        frame = frame.f_back
    return False


def _listed(given: Any, kind: type, what: str) -> list[Any]:
    """One, or several, as a list of them."""
    listed = [given] if isinstance(given, kind) else list(given) if isinstance(given, list | tuple) else []
    for each in listed or [given]:
        if not isinstance(each, kind):
            raise TypeError(
                f"watch takes {what} of PyTorch, or a list of them, not an object of the class {type(each).__name__}: "
                "backlight.watch(model, optimizer, every=100)"
            )
    return listed


def _optimizers(given: Any) -> list[Any]:
    """The optimizers themselves: some libraries wrap them."""
    found = []
    for optimizer in _listed(given, torch.optim.Optimizer, "optimizers"):
        inner = optimizer
        while isinstance(getattr(inner, "optimizer", None), torch.optim.Optimizer):
            inner = inner.optimizer
        found.append(inner)
    return found


def _related(models: list[Any], steps: list[Any]) -> None:
    """A ValueError where the optimizers step nothing of the models, so that no iteration would be theirs."""
    stepped = {id(p) for optimizer in steps for group in optimizer.param_groups for p in group["params"]}
    if not any(id(p) in stepped for model in models for p in model.parameters()):
        raise ValueError("the optimizer has no parameter of the model: watch the two that are trained together")


def _close_in_children() -> None:
    """See to it that processes which are forked neither record nor listen, as workers of a DataLoader."""
    global _sees_forks
    if not _sees_forks and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_let_go)
        _sees_forks = True


def _let_go() -> None:
    for each in list(_watched):
        each._in_child()


_sees_forks = False
