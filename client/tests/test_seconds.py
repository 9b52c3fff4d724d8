"""Seconds of ops and of nodes, beside the profiler's and a clock that is no real one."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import backlight
import pytest
import torch
from backlight import __main__ as command
from backlight.recorder import timing
from programs import captured
from test_keeping import GPT, RESNET
from torch.profiler import ProfilerActivity, profile
from torch.utils.checkpoint import checkpoint


def _seconds(document: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Those of ops, and those of nodes; every node that ran has them."""
    nodes = [event for event in document["events"] if event["kind"] == "node"]
    return [op["seconds"] for op in document["ops"] if "seconds" in op], [node["seconds"] for node in nodes]


def _net() -> tuple[torch.nn.Module, torch.Tensor]:
    return torch.nn.Sequential(*[torch.nn.Linear(200, 200), torch.nn.Tanh()] * 3), torch.randn(300, 200)


def test_nothing_is_measured_unless_it_is_asked_for() -> None:
    net, x = _net()
    with backlight.capture() as run:
        net(x).sum().backward()
    assert "timing" not in run.document
    assert not any("seconds" in row for row in (*run.document["ops"], *run.document["events"]))


def test_ops_and_nodes_have_seconds_that_add_up_to_less_than_the_run() -> None:
    net, x = _net()
    with backlight.capture(seconds=True) as run:
        net(x).sum().backward()
    ops, nodes = _seconds(run.document)
    told = run.document["timing"]
    assert len(ops) == len(run.document["ops"])
    assert len(nodes) == len(run.document["nodes"])
    assert all(seconds > 0 for seconds in (*ops, *nodes))
    assert sum(ops) + sum(nodes) < told["wall"]
    assert told["threads"] == torch.get_num_threads()
    (clock,) = told["clocks"]
    assert (clock["device"], clock["by"]) == ("cpu", "perf_counter")
    assert 0 < clock["op"] < 1e-3
    assert 0 < clock["node"] < 1e-3


@pytest.mark.parametrize("program", [RESNET, GPT])
def test_seconds_are_the_profilers(program: str) -> None:
    """Twice as much at most, of a millisecond in which the profiler's own work counts as well, in one of five runs."""
    code = program.replace("range(2)", "range(1)")
    captured(code)
    ratios = [_beside_the_profiler(code) for _ in range(5)]
    assert any(0.5 < forward < 2 and 0.5 < backward < 2 for forward, backward in ratios), ratios


def _beside_the_profiler(code: str) -> tuple[float, float]:
    """Seconds of ops, and of nodes, ÷ what the profiler tells of the same run."""
    with profile(activities=[ProfilerActivity.CPU]) as profiled:
        document = _measured(code)
    ops, nodes = _seconds(document)
    named = {op["name"] for op in document["ops"]}
    forward = backward = 0.0
    for event in profiled.events() or ():
        parent = event.cpu_parent
        if parent is None:
            continue
        if parent.name == f"autograd::engine::evaluate_function: {event.name}":
            backward += event.cpu_time_total / 1e6
        around = parent.cpu_parent
        if parent.name == "PythonDispatchMode" and around is not None and around.name == event.name:
            plain = event.name.removeprefix("aten::").removesuffix("_").removeprefix("_")
            forward += event.cpu_time_total / 1e6 if plain in named else 0.0
    return sum(ops) / forward, sum(nodes) / backward


def _measured(code: str) -> dict[str, Any]:
    """The document of a program with its seconds."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with backlight.capture(seconds=True) as run:
        exec(compile(code, __file__, "exec"), names)
    return run.document


class _Clock:
    """Time that passes only where somebody says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(timing, "perf_counter", lambda: self.now)

    def function(self, forward: float, backward: Callable[[Any], Any]) -> Any:
        """A custom Function whose forward takes so many seconds."""
        clock = self

        class Slow(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
                clock.now += forward
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: torch.Tensor) -> Any:
                return backward(g)

        return Slow


def test_what_runs_inside_of_a_node_and_hooks_are_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock(monkeypatch)

    def wait(seconds: float) -> Callable[..., None]:
        def hook(*_: Any) -> None:
            clock.now += seconds

        return hook

    inner = clock.function(5.0, lambda g: g)

    def backward(g: torch.Tensor) -> torch.Tensor:
        clock.now += 2.0
        return inner.apply(g)

    slow = clock.function(3.0, backward)
    x = torch.ones(3, requires_grad=True)
    with backlight.capture(seconds=True) as run:
        y = slow.apply(x)
        y.grad_fn.register_hook(wait(100.0))
        y.grad_fn.register_prehook(wait(200.0))
        y.register_hook(wait(300.0))
        x.register_post_accumulate_grad_hook(wait(400.0))
        y.sum().backward()
    document = run.document
    names = {node["id"]: node["name"] for node in document["nodes"]}
    nodes = {names[e["node"]]: e["seconds"] for e in document["events"] if e["kind"] == "node"}
    assert nodes == {"SumBackward0": 0.0, "SlowBackward": 2.0, "AccumulateGrad": 0.0}
    assert [op["seconds"] for op in document["ops"]] == [3.0, 0.0, 5.0]
    assert document["timing"]["wall"] == 1010.0


def test_a_checkpoint_computes_again_in_ops_that_have_their_own_seconds() -> None:
    net, x = _net()
    x.requires_grad_()
    with backlight.capture(seconds=True) as run:
        checkpoint(net, x, use_reentrant=False).sum().backward()
    ops, nodes = _seconds(run.document)
    assert len(ops) == len(run.document["ops"]) > len(list(net)) + 1
    assert sum(ops) + sum(nodes) < run.document["timing"]["wall"]


def test_a_node_that_raises_leaves_the_rest_measured() -> None:
    class Raises(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: torch.Tensor) -> Any:
            raise ValueError

    x = torch.ones(3, requires_grad=True)
    with backlight.capture(seconds=True) as run:
        with pytest.raises(ValueError):
            Raises.apply(x).sum().backward()
        (x * 2).sum().backward()
    _, nodes = _seconds(run.document)
    assert len(nodes) == 4
    assert all(seconds > 0 for seconds in nodes)


def test_gradients_are_those_of_a_run_that_nobody_measures() -> None:
    grads = []
    for seconds in (False, True):
        torch.manual_seed(0)
        net, x = _net()
        with backlight.capture(seconds=seconds):
            net(x).square().sum().backward()
        assert not any(parameter.grad_fn for parameter in net.parameters())
        grads.append([parameter.grad for parameter in net.parameters()])
    assert all(torch.equal(one, other) for one, other in zip(*grads, strict=True))


class _Event:
    """An event of a stream that is asked for the time right away."""

    made = 0

    def __init__(self, *, enable_timing: bool) -> None:
        assert enable_timing

    def record(self, stream: Any) -> None:
        assert stream == "the stream"
        _Event.made += 1
        self.at = _Event.made

    def elapsed_time(self, other: _Event) -> float:
        assert _Event.synchronized
        return 1000.0 * (other.at - self.at)

    synchronized = False


def test_on_cuda_events_of_the_stream_are_read_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device is made up: tensors are on the CPU, and each event comes a second after the one before."""
    device = torch.device("cuda:0")
    fake = {
        "Event": _Event,
        "current_stream": lambda of: "the stream" if of == device else None,
        "is_current_stream_capturing": lambda: False,
        "synchronize": lambda of: setattr(_Event, "synchronized", of == device),
        "get_device_name": lambda of: "Made Up 9000",
    }
    for name, value in fake.items():
        monkeypatch.setattr(torch.cuda, name, value)
    monkeypatch.setattr(timing, "_device", lambda given: device)
    monkeypatch.setattr(torch, "zeros", lambda *size, device, requires_grad: torch.ones(1, requires_grad=True))
    monkeypatch.setattr(_Event, "synchronized", False)

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: torch.Tensor) -> Any:
            return g * 2

    x = torch.ones(3, requires_grad=True)
    with backlight.capture(seconds=True) as run:
        (Twice.apply(x) * 3).sum().backward()
    document = run.document
    assert document["timing"]["clocks"] == [{"device": "cuda:0 (Made Up 9000)", "by": "events", "op": 1.0, "node": 1.0}]
    names = {node["id"]: node["name"] for node in document["nodes"]}
    told = {names[e["node"]]: e["seconds"] for e in document["events"] if e["kind"] == "node"}
    # Between the two events of the node are the two of the op in it, which has one of the three seconds.
    assert told == {"SumBackward0": 1.0, "MulBackward0": 1.0, "TwiceBackward": 2.0, "AccumulateGrad": 1.0}
    assert document["ops"][-1]["seconds"] == 1.0


def test_while_a_cuda_graph_is_captured_nothing_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "current_stream", lambda of: "the stream")
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
    monkeypatch.setattr(timing, "_device", lambda given: torch.device("cuda:0"))
    clock = timing.Clock(SimpleNamespace())  # type: ignore[arg-type]
    span = clock.begin([])
    clock.end(span)
    assert span.read() is None


def test_a_device_without_a_clock_has_no_seconds() -> None:
    with backlight.capture(seconds=True) as run:
        torch.ones(3, device="meta") + 1
    assert run.document["timing"]["clocks"] == []
    assert "seconds" not in run.document["ops"][0]


def test_the_decorator_measures_each_call() -> None:
    @backlight.capture(seconds=True)
    def called(x: torch.Tensor) -> None:
        x.exp().sum().backward()

    for _ in range(2):
        called(torch.ones(3, requires_grad=True))
        assert "timing" in called.run.document  # type: ignore[attr-defined]


def test_the_command_measures_where_it_is_told_to(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "script.py"
    script.write_text("import torch\ntorch.ones(3, requires_grad=True).exp().sum().backward()\n")
    kept: list[backlight.Run] = []
    monkeypatch.setattr(command, "_saved", lambda run, path, source: bool(kept.append(run)) or True)
    assert command.main(["run", "--seconds", str(script)]) == 0
    assert command.main(["run", str(script)]) == 0
    assert ["timing" in run.document for run in kept] == [True, False]


def test_watching_measures_what_it_records() -> None:
    net, x = _net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    watched = backlight.watch(net, optimizer, every=10, seconds=True)
    net(x).sum().backward()
    optimizer.step()
    watched.stop()
    assert "timing" in watched.run(0).document
