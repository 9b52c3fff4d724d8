"""A training that is watched: what is recorded of it, that it is the same training, and that it waits for nobody."""

from __future__ import annotations

import gc
import os
import re
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import backlight
import pytest
import torch
from backlight.watching import control
from torch import nn
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils.data import DataLoader, Dataset

Step = Callable[[int], Any]


def net() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


def batch(i: int) -> tuple[torch.Tensor, torch.Tensor]:
    made = torch.Generator().manual_seed(i)
    return torch.randn(6, 4, generator=made), torch.randn(6, 1, generator=made)


def train(model: nn.Module, optimizer: Any, iterations: int, each: Step = lambda i: None) -> list[float]:
    losses = []
    for i in range(iterations):
        x, y = batch(i)
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        each(i)
    return losses


def columns(watched: backlight.Watched) -> dict[int, list[dict[str, Any]]]:
    return {entry.iteration: entry.columns for entry in watched.log.entries}


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def _ends(viewer: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield
    assert sys.gettrace() is None and not _get_current_dispatch_mode_stack()


def test_the_first_iteration_and_one_in_so_many_are_recorded() -> None:
    model = net()
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    norms = []

    def note(i: int) -> None:
        norms.append({name: p.grad.norm().item() for name, p in model.named_parameters() if p.grad is not None})

    with backlight.watch(model, optimizer, every=4) as watched:
        losses = train(model, optimizer, 10, note)
    assert watched.iterations == [0, 4, 8] and watched.iteration == 10
    for iteration, (column,) in columns(watched).items():
        assert column["loss"] == pytest.approx(losses[iteration], rel=1e-3)
        assert {name.removeprefix("model."): grad for name, (grad, _, _) in column["parameters"].items()} == (
            pytest.approx(norms[iteration], rel=1e-3)
        )
        assert all(update > 0 for _, _, update in column["parameters"].values())
    document = watched.run(4).document
    assert document["limits"]["recorded"]["passes"] == 1 and document["error"] is None
    assert {"model.0.weight", "x", "y", "loss"} <= {row["name"] for row in document["tensors"]}
    assert document["optimizers"][0]["name"] == "optimizer" and "findings" not in document
    assert [use["what"] for use in document["optimizers"][0]["uses"]] == ["zero_grad", "step"]
    assert repr(watched).startswith("<backlight.Watched: iteration 10, 3 iterations recorded, 0 findings, http://127.")


def test_the_training_is_the_same() -> None:
    def run(watch: bool) -> list[Any]:
        model = net()
        model.append(nn.Dropout(0.5))
        optimizer = torch.optim.AdamW(model.parameters(), 0.01)
        torch.manual_seed(1)
        watched = backlight.watch(model, optimizer, every=3) if watch else None
        losses = train(model, optimizer, 8)
        if watched:
            watched.stop()
        return [losses, [p.tolist() for p in model.parameters()], torch.get_rng_state().tolist()]

    assert run(True) == run(False)


def test_nothing_is_left_behind() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    before = {name: len(getattr(optimizer, name)) for name in vars(optimizer) if name.endswith("hooks")}
    showing, engine = warnings.showwarning, torch.autograd.graph._engine_run_backward

    def watch() -> tuple[weakref.ref[Any], Any]:
        watched = backlight.watch(model, optimizer, every=2)
        train(model, optimizer, 5)
        watched.stop()
        watched.stop()
        train(model, optimizer, 2)
        assert watched.iteration == 5
        return weakref.ref(watched), watched._server.socket

    watched, served = watch()
    assert {name: len(getattr(optimizer, name)) for name in before} == before
    assert warnings.showwarning is showing and torch.autograd.graph._engine_run_backward is engine
    gc.collect()
    assert watched() is None
    wait_for(lambda: served.fileno() == -1)


def test_passes_before_a_step_belong_together() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    losses, norms = [], []
    with backlight.watch(model, optimizer, every=2) as watched:
        for i in range(12):
            x, y = batch(i)
            loss = ((model(x) - y) ** 2).mean() / 3
            loss.backward()
            losses.append(loss.item())
            if i % 3 == 2:
                norms.append(model[0].weight.grad.norm().item())
                optimizer.step()
                optimizer.zero_grad()
    assert watched.iterations == [0, 2]
    for iteration, (column,) in columns(watched).items():
        assert column["loss"] == pytest.approx(sum(losses[3 * iteration :][:3]) / 3, rel=1e-3)
        assert column["parameters"]["model.0.weight"][0] == pytest.approx(norms[iteration], rel=1e-3)
        assert watched.run(iteration).document["limits"]["recorded"]["passes"] == 3


def test_with_several_optimizers_the_last_one_ends_an_iteration() -> None:
    first, second = net(), nn.Linear(1, 1)
    optimizers = torch.optim.SGD(first.parameters(), 0.01), torch.optim.Adam(second.parameters(), 0.01)
    with backlight.watch([first, second], optimizers, every=2) as watched:
        for i in range(4):
            x, y = batch(i)
            for optimizer in optimizers:
                optimizer.zero_grad()
                loss = ((second(first(x)) - y) ** 2).mean()
                loss.backward()
                optimizer.step()
    assert watched.iterations == [0, 2] and watched.iteration == 4
    assert watched.run(2).document["limits"]["recorded"]["passes"] == 2


def test_closures_schedulers_and_scaled_losses() -> None:
    model = net()
    x, y = batch(0)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=3)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        return loss

    with backlight.watch(model, optimizer, every=1) as watched:
        for _ in range(2):
            optimizer.step(closure)
    assert watched.iterations == [0, 1]
    assert watched.run(1).document["limits"]["recorded"]["passes"] >= 2

    other: Any = torch.optim.SGD(model.parameters(), 0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(other, 1)
    scaler = torch.amp.GradScaler("cpu")  # type: ignore[attr-defined]
    with backlight.watch(model, other, every=1) as watched, warnings.catch_warnings():
        warnings.simplefilter("error")
        for i in range(3):
            other.zero_grad()
            loss = ((model(x) - y) ** 2).mean() * (float("inf") if i == 1 else 1)
            scaler.scale(loss).backward()
            scaler.step(other)
            scaler.update()
            scheduler.step()
    assert watched.iteration == 2 and watched.iterations == [0, 1]
    assert watched.run(1).document["limits"]["recorded"]["passes"] == 2  # the step that was skipped is no step


def test_a_wrapped_optimizer_is_the_one_inside() -> None:
    model = net()

    class Wrapped(torch.optim.Optimizer):
        def __init__(self, optimizer: torch.optim.Optimizer) -> None:
            self.optimizer = optimizer
            self.param_groups = optimizer.param_groups

        def zero_grad(self, set_to_none: bool = True) -> None:
            self.optimizer.zero_grad(set_to_none)

        def step(self, closure: Any = None) -> Any:
            return self.optimizer.step(closure)

    optimizer = Wrapped(torch.optim.SGD(model.parameters(), 0.01))
    with backlight.watch(model, optimizer, every=2) as watched:
        train(model, optimizer, 3)
    assert watched.iterations == [0, 2]


def test_an_error_is_recorded_and_goes_on_its_way() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    with pytest.raises(RuntimeError, match="shapes cannot"), backlight.watch(model, optimizer, every=2) as watched:
        train(model, optimizer, 2)
        model(torch.ones(2, 3))
    assert watched.iterations == [0, 2]
    assert watched.run(2).document["error"]["type"] == "RuntimeError"
    told = watched._shown.told(-1)
    assert told["state"] == "over" and re.match(r"RuntimeError ended iteration 2: (addmm: )?mat1", told["told"])
    with pytest.raises(KeyboardInterrupt), backlight.watch(model, optimizer) as watched:
        train(model, optimizer, 2)
        raise KeyboardInterrupt
    assert watched.iterations == [0] and watched._shown.told(-1)["told"] == "KeyboardInterrupt ended iteration 2"


def test_what_goes_wrong_while_watching_ends_that_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def full(*_: Any) -> None:
        raise MemoryError("no room")

    with backlight.watch(model, optimizer, every=1) as watched:
        monkeypatch.setattr(type(watched.log), "add", full)
        with pytest.warns(RuntimeWarning, match="watching ended at iteration 1: MemoryError: no room"):
            losses = train(model, optimizer, 3)
    assert len(losses) == 3 and watched.iteration == 1
    assert watched._shown.told(-1)["told"] == "watching ended at iteration 1: MemoryError: no room"


def test_an_iteration_that_is_cut_before_its_pass_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def evaluate(i: int) -> None:
        if i == 1:
            with torch.no_grad():
                for _ in range(30):
                    model(batch(i)[0])

    with backlight.watch(model, optimizer, every=2, limits=backlight.Limits(ops=40)) as watched:
        train(model, optimizer, 5, evaluate)
    assert watched.iterations == [0, 3, 4]


class Rows(Dataset[Any]):
    def __init__(self, ports: list[int]) -> None:
        self.ports = ports

    def __len__(self) -> int:
        return 8

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor, list[bool]]:
        listening = False
        for port in self.ports:
            for name in os.listdir("/proc/self/fd"):
                try:
                    listening |= os.readlink(f"/proc/self/fd/{name}") == f"socket:[{port}]"
                except OSError:
                    pass
        clean = sys.gettrace() is None and not _get_current_dispatch_mode_stack()
        x, y = batch(i)
        return x[0], y[0], [clean, not listening]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="asks Linux what is open")
def test_workers_neither_record_nor_listen() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    seen = []
    with backlight.watch(model, optimizer, every=2) as watched:
        ports = [os.fstat(watched._server.socket.fileno()).st_ino]
        loader = DataLoader(Rows(ports), batch_size=2, num_workers=2, multiprocessing_context="fork")
        for _ in range(2):
            for x, y, told in loader:
                optimizer.zero_grad()
                ((model(x) - y) ** 2).mean().backward()
                optimizer.step()
                seen += told
    assert watched.iterations == [0, 2, 4, 6] and watched.iteration == 8
    assert len(seen) == 16 and all(bool(each.all()) for each in seen)


def test_a_training_in_another_thread() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    watched = backlight.watch(model, optimizer, every=2)
    thread = threading.Thread(target=train, args=(model, optimizer, 7))
    thread.start()
    thread.join(60)
    watched.stop()
    assert watched.iteration == 7 and watched.iterations == [1, 2, 4, 6]


def test_a_compiled_model_is_compiled_between_recordings() -> None:
    model, calls = net(), []

    def backend(graph: Any, _: Any) -> Any:
        def run(*inputs: Any) -> Any:
            calls.append(1)
            return graph(*inputs)

        return run

    compiled: Any = torch.compile(model, backend=backend)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    counts = []
    with backlight.watch(compiled, optimizer, every=3) as watched:
        train(compiled, optimizer, 7, lambda i: counts.append(len(calls)))
    assert watched.iterations == [0, 3, 6]
    each = [after - before for before, after in zip([0, *counts], counts, strict=False)]
    assert each == [0, 1, 1, 0, 1, 1, 0]


def test_a_compiled_step_ends_an_iteration() -> None:
    def run(watch: bool) -> list[Any]:
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
        step = torch.compile(optimizer.step, backend="eager")
        watched = backlight.watch(model, optimizer, every=2) if watch else None
        for i in range(5):
            optimizer.zero_grad()
            model(batch(i)[0]).square().mean().backward()
            step()
        if watched:
            watched.stop()
            assert (watched.iteration, watched.iterations) == (5, [0, 2, 4]), watched._shown.told(-1)["told"]
            assert [use["what"] for use in watched.run(2).document["optimizers"][0]["uses"]] == ["zero_grad", "step"]
        return [p.tolist() for p in model.parameters()]

    assert run(True) == run(False)


def test_what_was_found_is_told_with_its_first_iteration() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    with backlight.watch(model, optimizer, every=2, keep=3) as watched:
        for i in range(20):
            x, y = batch(i)
            optimizer.zero_grad()
            loss = ((model(x) - y) ** 2).mean() + (torch.sqrt(model[2].bias - model[2].bias).sum() if i > 8 else 0)
            loss.backward()
            optimizer.step()
    found = watched._shown.told(-1)["findings"]
    first = {row["rule"]: row["first"] for row in found}
    assert first == {"nan-origin": 10, "loss-diverges": 10}
    assert [row["last"] for row in found] == [18, 18] and [row["count"] for row in found] == [5, 5]
    diverges = next(row for row in watched.run(10).document["findings"] if row["rule"] == "loss-diverges")
    assert diverges["since"] == 10 and diverges["headline"].endswith("in 11 iterations")
    assert watched.iterations == [0, 10, 18]
    assert [entry.iteration for entry in watched.log.entries] == list(range(0, 20, 2))
    with pytest.raises(KeyError, match="iteration 2 is not recorded, or no longer kept; these are: "):
        watched.run(2)


def test_old_recordings_are_thinned() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.001)
    with backlight.watch(model, optimizer, every=1, keep=8) as watched:
        train(model, optimizer, 40)
    kept = watched.iterations
    assert len(kept) == 8 and kept[0] == 0 and kept[-4:] == [36, 37, 38, 39]
    gaps = [b - a for a, b in zip(kept, kept[1:-4], strict=False)]
    assert max(gaps) <= 4 * min(gaps)
    with backlight.watch(model, optimizer, every=1, keep=1) as watched:
        train(model, optimizer, 4)
    assert watched.iterations == [3]


def test_what_cannot_be_watched_is_said() -> None:
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    with pytest.raises(
        TypeError, match="watch takes modules of PyTorch, or a list of them, not an object of the class S"
    ):
        backlight.watch(optimizer, model)  # type: ignore[arg-type]
    with pytest.raises(
        TypeError, match="watch takes optimizers of PyTorch, or a list of them, not an object of the cl"
    ):
        backlight.watch(model, model)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the optimizer has no parameter of the model"):
        backlight.watch(net(), optimizer)
    for wrong in (0, -1, 2.5, True, "10"):
        with pytest.raises(ValueError, match="every is a number of iterations, at least 1"):
            backlight.watch(model, optimizer, wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="keep is"):
        backlight.watch(model, optimizer, keep=0)
    assert not optimizer._optimizer_step_post_hooks  # type: ignore[attr-defined]


# Waiting


def trained_in_a_thread(every: int = 1000) -> tuple[backlight.Watched, threading.Thread, threading.Event]:
    """A training that goes on until it is told to end."""
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), 0.001)
    end, begun = threading.Event(), []

    def run() -> None:
        with backlight.watch(model, optimizer, every=every) as watched:
            begun.append(watched)
            while not end.is_set():
                train(model, optimizer, 1)
                time.sleep(0.001)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    wait_for(lambda: bool(begun) and begun[0].iteration > 2)
    return begun[0], thread, end


def test_a_reader_has_it_wait_and_go_on() -> None:
    watched, thread, end = trained_in_a_thread()
    asked = watched.control
    asked.seen()
    asked.pause()
    wait_for(lambda: asked.state == "paused")
    at = watched.iteration
    assert watched.iterations == [0, at - 1]
    time.sleep(0.05)
    assert watched.iteration == at
    for more in (1, 2):
        asked.seen()
        asked.step()
        wait_for(lambda: watched.iteration == at + more and asked.state == "paused")  # noqa: B023
    assert watched.iterations == [0, at - 1, at, at + 1]
    asked.go()
    wait_for(lambda: watched.iteration > at + 5)
    assert asked.state == "running"
    end.set()
    thread.join(60)
    assert asked.state == "over"
    asked.pause()
    assert asked.state == "over" and not asked.paused


def test_a_page_that_is_gone_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "LOST", 0.2)
    watched, thread, end = trained_in_a_thread()
    watched.control.seen()
    watched.control.pause()
    wait_for(lambda: watched.control.state == "paused")
    at = watched.iteration
    wait_for(lambda: watched.iteration > at + 3)
    end.set()
    thread.join(60)
