"""How recordings begin and end: what stays as it was, limits, errors, and the ways to record."""

from __future__ import annotations

import builtins
import importlib
import json
import logging
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import backlight
import pytest
import torch
from backlight.recorder import positions
from backlight.recorder.operators import arguments, operator_of
from programs import SNIPPETS, captured, record
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.func import functional_call, grad, vmap
from torch.nn.modules import module as modules
from torch.optim import optimizer as optimizers
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

from tests.snippets.invariants import violations


def patched() -> list[Any]:
    """All that a recording replaces."""
    return [
        torch.autograd._engine_run_backward, torch.autograd.Function.__dict__.get("apply"), torch.Tensor.register_hook,
        torch.Tensor.retain_grad, torch.optim.Optimizer.zero_grad, nn.Module.zero_grad, torch.no_grad.__enter__,
        torch.no_grad.__exit__, torch.compile, sys.stdout, warnings.showwarning, sys.gettrace(), builtins.print,
        torch.cond,
        nn.Module.register_full_backward_hook, torch.utils.hooks.BackwardHook.__init__,
        nn.Module._call_impl, list(optimizers._global_optimizer_pre_hooks),
        torch.autograd.Function.__dict__.get("_register_hook"),
        torch.autograd.function.BackwardCFunction.__dict__.get("apply"),
        torch.optim.Optimizer.add_param_group, torch.tensor,
        *[torch.Tensor.__dict__.get(name) for name in ("item", "tolist", "numpy", "__float__", "__int__", "__array__")],
        torch.autograd.graph.saved_tensors_hooks.__enter__, torch.autograd.graph.saved_tensors_hooks.__exit__,
        modules.register_module_full_backward_hook, list(modules._global_forward_hooks),
        list(modules._global_forward_pre_hooks),
    ]  # fmt: skip


def kinds(run: backlight.Run) -> list[str]:
    return [event["kind"] for event in run.document["events"]]


def test_everything_is_as_it_was_after_an_error() -> None:
    before = patched()
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(ZeroDivisionError), backlight.capture() as run:
        (x * 2).sum().backward()
        raise ZeroDivisionError
    assert patched() == before
    assert run.document["status"] == "error"
    assert run.document["error"]["type"] == "ZeroDivisionError"
    assert kinds(run)[-1] == "error" and "accumulate" in kinds(run)
    assert not violations(run.document)


def test_a_function_is_recorded_each_time_it_is_called() -> None:
    @backlight.capture
    def step(x: torch.Tensor) -> torch.Tensor:
        loss = (x * x).sum()
        loss.backward()
        return loss

    assert step(torch.ones(2, requires_grad=True)) == 2
    first = step.run
    step(torch.ones(3, requires_grad=True))
    assert step.run is not first
    assert {"x", "loss"} <= set(step.run.document["globals"])
    assert kinds(first).count("backward") == kinds(step.run).count("backward") == 1


def test_what_cannot_be_recorded_is_said() -> None:
    def steps() -> Any:
        yield torch.ones(1)

    async def later() -> None:
        pass

    for function in (steps, later):
        with pytest.raises(TypeError, match=r"runs nothing yet: record where it does, with backlight.capture\(\)"):
            backlight.capture(function)
    with pytest.raises(TypeError, match=r"capture takes a function, or nothing .*, not an object of the class Tensor"):
        backlight.capture(torch.ones(1))  # type: ignore[call-overload]
    with pytest.raises(
        TypeError, match=r"capture takes no module, but what runs it: with backlight.capture\(\) as run:"
    ):
        backlight.capture(nn.Linear(2, 1))
    with pytest.raises(RuntimeError, match="nothing is being recorded"):
        backlight.capture().__exit__(None, None, None)
    with pytest.raises(TypeError, match="show takes a tensor, whose graph it shows, not an object of the class float"):
        backlight.show(1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="limits are a backlight.Limits"):
        backlight.capture(limits=100)  # type: ignore[call-overload]


def test_what_a_function_takes_from_around_it_names_tensors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "takes_from_around.py").write_text(AROUND, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    program = importlib.import_module("takes_from_around")
    for run, paths in (
        (program.step.run, ["model", "kept.net"]),
        (program.within, ["model", "kept.net"]),
        (program.blocked, ["model", "kept.net"]),
    ):
        leaves = {t["name"] for t in run.document["tensors"] if t["is_leaf"] and t["requires_grad"]}
        assert leaves == {"model.weight", "model.bias", "scale", "held['shift']", "kept.net.weight"}
        assert [row["path"] for row in run.document["modules"]] == paths
    assert program.step.run.document["optimizers"][0]["name"] == "opt"


AROUND = """\
import torch, backlight
from torch import nn
class Kept:
    def __init__(self):
        self.net = nn.Linear(1, 1, bias=False)
    def __call__(self, x):
        return self.net(x)
model, kept = nn.Linear(2, 1), Kept()
scale, held = torch.ones(2, requires_grad=True), {"shift": torch.ones(1, requires_grad=True)}
opt = torch.optim.SGD(model.parameters(), lr=0.1)
@backlight.capture
def step():
    loss = kept(model(torch.ones(4, 2) * scale) + held["shift"]).mean()
    loss.backward()
    opt.step()
def enclosed(model, scale, held, kept):
    return lambda: kept(model(torch.ones(4, 2) * scale) + held["shift"]).mean().backward()
def recorded(call):
    with backlight.capture() as run:
        call()
    return run
def inside():
    with backlight.capture() as run:
        kept(model(torch.ones(4, 2) * scale) + held["shift"]).mean().backward()
    return run
step()
within, blocked = recorded(enclosed(model, scale, held, kept)), inside()
"""


def test_a_graph_that_exists_is_shown_without_passes() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    document = backlight.show(loss).document
    assert [node["name"] for node in document["nodes"]] == ["SumBackward0", "MulBackward0", "AccumulateGrad"]
    assert document["nodes"][1]["saved"].keys() == {"self", "other"}
    assert document["events"] == []
    assert {"x", "loss"} <= set(document["globals"])
    assert not violations(document)


@pytest.mark.parametrize(
    ("limit", "limits"),
    [
        ("ops", backlight.Limits(ops=100)),
        ("events", backlight.Limits(events=300)),
        ("document_bytes", backlight.Limits(document_bytes=100_000)),
        ("kept_bytes", backlight.Limits(kept_bytes=4000)),
    ],
)
def test_what_exceeds_a_limit_is_cut_and_said(limit: str, limits: backlight.Limits) -> None:
    x = torch.ones(2, requires_grad=True)
    with backlight.capture(limits=limits) as run:
        for _ in range(100):
            y = x * 2
            y.sum().backward()
            with torch.no_grad():
                x -= 0.01
    document = run.document
    assert document["limits"]["truncated"] == limit
    (gap,) = [event for event in document["events"] if event["kind"] == "gap"]
    assert gap["ops"] + document["limits"]["recorded"]["ops"] == 300
    assert gap["passes"] + document["limits"]["recorded"]["passes"] == 100
    assert not violations(document)
    (tensor,) = [t for t in document["tensors"] if t["name"] == "x"]
    assert document["values"][tensor["final"]]["data"] == pytest.approx([0.0, 0.0], abs=1e-5)
    assert document["values"][tensor["grad"]]["data"] == [200.0, 200.0]


def test_ten_thousand_ops_are_cut() -> None:
    x = torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        y = x
        for _ in range(10_000):
            y = y * 1.0001
        y.sum().backward()
    assert run.document["limits"]["truncated"] == "document_bytes"
    assert len(json.dumps(run.document)) < 8_388_608
    assert x.grad is not None


def test_values_are_those_of_their_time() -> None:
    x = torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        y = x * 2
        y += 5
        y.mul_(0)
    document = run.document
    (row,) = [t for t in document["tensors"] if t["name"] == "y"]
    values = [document["values"][e["value"]]["data"] for e in document["events"] if e["kind"] == "write"]
    assert document["values"][row["value"]]["data"] == [2.0, 2.0]
    assert values == [[7.0, 7.0], [0.0, 0.0]]


def test_versions_are_those_that_pytorch_counts() -> None:
    x = torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        y = x * 2
        y += 5
        y.data.mul_(3)
        y.mul_(2)
    (row,) = [t for t in run.document["tensors"] if t["name"] == "y"]
    writes = [e["version"] for e in run.document["events"] if e["kind"] == "write" and e["tensor"] == row["id"]]
    assert writes == [1, 1, 2] and y._version == 2


def test_large_values_are_summarised() -> None:
    x = torch.arange(10_000.0).reshape(100, 100).requires_grad_()
    with backlight.capture() as run:
        y = x * 2
    (row,) = [t for t in run.document["tensors"] if t["name"] == "y"]
    value = run.document["values"][row["value"]]
    assert value["data"] is None
    assert value["stats"]["max"] == 19998.0 and value["stats"]["zeros"] == 1
    assert value["thumbnail"]["shape"] == [16, 16]
    assert sum(value["histogram"]["counts"]) == 10_000
    assert y.requires_grad


def test_what_memory_happened_to_hold_is_no_value() -> None:
    torch.use_deterministic_algorithms(True)  # which has PyTorch write nan to it
    try:
        with backlight.capture() as run:
            layer = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Embedding(4, 2))
            x = torch.empty(4, 2).copy_(torch.ones(4, 2))
            torch.empty(2, 2).normal_()[0].mul_(layer[0](x).sum()).sum().backward()
    finally:
        torch.use_deterministic_algorithms(False)
    document = run.document
    assert "NaN" not in json.dumps(document["values"]) and not violations(document)
    (weight,) = [tensor for tensor in document["tensors"] if tensor["path"] == "layer.0.weight"]
    assert weight["value"] == weight["final"]


def test_documents_are_as_large_as_is_estimated() -> None:
    layers = nn.Sequential(*[nn.Linear(64, 64) for _ in range(20)])
    with backlight.capture(limits=backlight.Limits(document_bytes=600_000)) as run:
        layers(torch.randn(32, 64)).sum().backward()
    assert run.document["limits"]["truncated"] == "document_bytes"
    assert 300_000 < len(json.dumps(run.document, separators=(",", ":"))) < 660_000


def test_steps_of_an_optimizer_are_writes() -> None:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters())
    with backlight.capture() as run:
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    names = {tensor["id"]: tensor["name"] for tensor in run.document["tensors"]}
    written = [names[event["tensor"]] for event in run.document["events"] if event["kind"] == "write"]
    assert written == ["model.weight", "model.bias"]
    assert [e["by"] for e in run.document["events"] if e["kind"] == "grad"] == ["zero_grad", "zero_grad"]


def test_checkpointed_activations_are_not_computed_for_the_document() -> None:
    calls = 0

    def block(x: torch.Tensor) -> torch.Tensor:
        nonlocal calls
        calls += 1
        return torch.tanh(x) * 2

    x = torch.ones(2, requires_grad=True)
    with backlight.capture():
        checkpoint(block, x, use_reentrant=False).sum().backward()
    assert calls == 2


def test_what_hooks_packed_is_not_unpacked_for_the_document() -> None:
    unpacked: list[torch.Tensor] = []

    def unpack(tensor: torch.Tensor) -> torch.Tensor:
        unpacked.append(tensor)
        return tensor

    x = torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
            y = x.exp()
        (y * y).sum().backward()
    assert len(unpacked) == 1  # by the pass
    assert {n["name"]: sorted(n["saved"]) for n in run.document["nodes"] if n["saved"]} == {
        "MulBackward0": ["other", "self"]
    }


def test_an_origin_and_the_files_are_told() -> None:
    with backlight.capture() as run:
        torch.ones(2, requires_grad=True).sum().backward()
    document = run.document
    assert document["origin"]["kind"] == "captured" and document["origin"]["torch"] == torch.__version__
    assert document["files"][0]["name"] == __file__
    assert document["source"]["code"] == Path(__file__).read_text()


def test_a_script_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def double(x):\n    return x * 2\n")
    script = tmp_path / "train.py"
    script.write_text(
        "import sys, torch\nfrom model import double\nx = torch.ones(2, requires_grad=True)\n"
        "double(x).sum().backward()\nprint(sys.argv[1:])\nraise SystemExit(3)\n"
    )
    target = tmp_path / "run.json"
    done = subprocess.run(
        [sys.executable, "-m", "backlight", str(script), "--json", str(target), "--epochs", "2"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert done.stdout == "['--epochs', '2']\n"
    document = json.loads(target.read_text("utf-8"))
    assert [Path(file["name"]).name for file in document["files"]] == ["train.py", "model.py"]
    (op,) = [op for op in document["ops"] if op["name"] == "mul"]
    assert (op["file"], op["line"]) == (1, 2)
    assert document["origin"]["argv"][1:] == ["--epochs", "2"]
    assert not violations(document)


def script(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "script.py").write_text(text)
    command = [sys.executable, "-m", "backlight", "script.py", "--json", "run.json"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)


def test_a_script_is_the_main_module(tmp_path: Path) -> None:
    done = script(
        tmp_path,
        "import pickle\nclass Net:\n    pass\n"
        "print(type(pickle.loads(pickle.dumps(Net()))))\nraise SystemExit('stop')\n",
    )
    assert (done.returncode, done.stdout) == (1, "<class '__main__.Net'>\n"), done.stderr
    assert done.stderr.startswith("stop\n")


def test_a_script_that_is_no_python_fails_as_it_would(tmp_path: Path) -> None:
    done = script(tmp_path, "x = (\n")
    assert done.returncode == 1 and not (tmp_path / "run.json").exists()
    assert done.stderr.splitlines()[0].strip() == f'File "{tmp_path / "script.py"}", line 1'
    assert "SyntaxError" in done.stderr.splitlines()[-1]


def test_a_script_gets_its_own_options_and_knows_its_place(tmp_path: Path) -> None:
    path, document = tmp_path / "script.py", tmp_path / "run.json"
    path.write_text("import sys\nprint(sys.argv[1:], __file__)\n")
    command = [sys.executable, "-m", "backlight", path.name, "--js", "1", "--json", str(document), "--", "--json", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120)
    assert done.stdout == f"['--js', '1', '--json', '2'] {path}\n", done.stderr
    assert json.loads(document.read_text("utf-8"))["origin"]["argv"][0] == path.name


def test_a_traceback_has_the_frames_of_the_program_and_of_pytorch_alone(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(4, 1))
    with pytest.raises(RuntimeError) as plain:
        net(torch.ones(1, 2))
    with pytest.raises(RuntimeError) as shown, backlight.capture():
        try:
            net(torch.ones(1, 2))
        except RuntimeError as error:
            raise RuntimeError("a step failed") from error
    cause = shown.value.__cause__
    assert cause is not None
    below = [entry.name for entry in traceback.extract_tb(cause.__traceback__)]
    assert below[:-1] == [entry.name for entry in traceback.extract_tb(plain.tb)]  # and the call of the operator
    text = "import torch\nx = torch.ones(1).requires_grad_()\nx.register_hook(lambda g: g.new_ones(2).item())\n"
    done = script(tmp_path, f"{text}x.backward()\n")
    assert "RuntimeError" in done.stderr and "recorder" not in done.stderr


def test_files_are_told_apart_where_paths_have_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    root = "C:\\Python\\Lib\\site-packages\\"
    monkeypatch.setattr(positions, "TORCH", f"{root}torch\\")
    monkeypatch.setattr(positions, "libraries", lambda main: (root,))
    monkeypatch.setattr(positions.os, "sep", "\\")
    kind_of = positions.Positions("C:\\me\\train.py").kind_of
    assert kind_of(f"{root}torch\\optim\\adam.py") == positions.OPTIMIZER
    assert kind_of(f"{root}torch\\autograd\\graph.py", "_engine_run_backward") == positions.ENGINE
    assert kind_of(f"{root}torch\\nn\\parameter.py") == positions.SILENT
    assert kind_of("C:\\me\\model.py") == kind_of("<python-input-0>") == positions.USER


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_tensors_on_a_gpu_say_so() -> None:
    x = torch.ones(300, device="cuda", requires_grad=True)
    with backlight.capture() as run:
        (x * 2).sum().backward()
    assert {tensor.get("device") for tensor in run.document["tensors"]} == {"cuda:0"}
    assert "cuda:0" in run.document["origin"]["device"]
    assert not violations(run.document)


def test_variables_of_comprehensions_are_their_own() -> None:
    x = torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        for p in (x, x * 2):
            p.sum()
        squares = [p * p for p in (x, x)]
        total = sum([p.sum() for p in squares])
    bound = [event["name"] for event in run.document["events"] if event["kind"] == "bind"]
    assert bound == ["p", "p", "total"] and total == 4


def test_other_threads_are_left_alone() -> None:
    x = torch.ones(3, requires_grad=True)
    layer = nn.Linear(3, 1)

    def work() -> None:
        for _ in range(20):
            with torch.no_grad():
                layer(x.detach())
            layer(torch.ones(1, 3)).sum().backward()

    with backlight.capture() as run:
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            (x * 2).sum().backward()
        for thread in threads:
            thread.join(60)
    assert kinds(run).count("backward") == 20
    assert {scope["kind"] for scope in run.document["scopes"]} == {"program", "loop"}
    (warned,) = run.document["warnings"]
    assert warned["message"].startswith("Other threads ran 60 backward passes and 120 calls of modules, which are not")
    assert run.document["events"][-1]["message"] == warned["message"]
    assert repr(run).endswith(", not what other threads ran>")
    assert not violations(run.document)


class Doubled(torch.autograd.Function):
    """A custom Function whose backward is a program's own code."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return gradient * 2


def stepping(meet: Callable[[], object], number: int) -> tuple[backlight.Run, list[str]]:
    """A recorded training step, in whose every part others have theirs, and what hooks in it saw."""
    layer, seen = nn.Linear(2, 2), list[str]()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    meet()
    with backlight.capture() as run:
        meet()
        for _ in range(3):
            y = Doubled.apply(layer(torch.ones(1, 2)))
            meet()
            y.register_hook(lambda g: seen.append("tensor"))
            y.grad_fn.register_hook(lambda *_: seen.append("node"))
            meet()
            y.sum().backward()
            optimizer.step()
            with torch.no_grad():
                y.sum().item()
            optimizer.zero_grad()
            meet()
        for _ in range(number):  # so they end one after the other, the first to begin first or last
            meet()
        print("printed by", number)
    for _ in range(3 - number):
        meet()
    return run, seen


@pytest.mark.parametrize("backwards", [False, True])
def test_recordings_in_several_threads_overlap_as_they_like(
    backwards: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    before = patched()
    barrier = threading.Barrier(4, timeout=60)
    found: dict[int, Any] = {}

    def work(number: int) -> None:
        try:
            found[number] = stepping(barrier.wait, number)
        except BaseException as error:
            found[number] = error
            barrier.abort()
            raise

    threads = [threading.Thread(target=work, args=(3 - n if backwards else n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert patched() == before
    for number in range(4):
        assert isinstance(found[number], tuple), found[number]
        run, seen = found[number]
        document = run.document
        assert seen == ["node", "tensor"] * 3 or seen == ["tensor", "node"] * 3
        assert document["limits"]["recorded"]["passes"] == 3 and document["limits"]["truncated"] is None
        assert kinds(run).count("accumulate") == 6 and kinds(run).count("hook") == 6
        assert len(document["optimizers"]) == 1 and document["stdout"] == f"printed by {number}\n"
        assert document["warnings"] == [] and not violations(document)
    assert sorted(capsys.readouterr().out.splitlines()) == [f"printed by {n}" for n in range(4)]


@pytest.mark.parametrize("number", range(3))
def test_recordings_that_take_turns_end_in_any_order(number: int) -> None:
    before = patched()
    runs = [backlight.capture() for _ in range(3)]
    for run in runs:
        run.__enter__()
    order = [runs[number], runs[(number + 1) % 3], runs[(number + 2) % 3]]
    for place, run in enumerate(order):
        (torch.ones(2, requires_grad=True) * 2).sum().backward()
        print(end="said")
        run.__exit__(None, None, None)
        assert run.document["limits"]["recorded"]["passes"] == place + 1
        assert run.document["stdout"] == "said" * (place + 1)
        assert not violations(run.document)
    assert patched() == before
    assert torch._C._len_torch_dispatch_stack() == 0


@pytest.mark.skipif(not hasattr(torch.compiler, "set_stance"), reason="this PyTorch has no stances")
def test_what_was_compiled_is_compiled_again_afterwards() -> None:
    ran: list[str] = []

    def backend(module: Any, _: Any) -> Any:
        def run(*args: Any) -> Any:
            ran.append("compiled")
            return module.forward(*args)

        return run

    net, x = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)), torch.randn(5, 3)
    fast = torch.compile(net, backend=backend)
    fast(x).sum().backward()
    assert ran.pop() == "compiled" and not ran
    with backlight.capture() as outer:
        with backlight.capture() as run:
            fast(x).sum().backward()
            later = torch.compile(nn.Sequential(nn.Linear(3, 4), nn.Tanh()), backend=backend)
            later(x)
        fast(x)
    assert not ran and kinds(run).count("backward") == kinds(outer).count("backward") == 1
    fast(x).sum().backward()
    later(x)
    assert ran == ["compiled", "compiled"]


def test_a_recording_inside_another_leaves_it_as_it_was() -> None:
    before = patched()
    x = torch.ones(2, requires_grad=True)
    with backlight.capture() as outer:
        with backlight.capture() as inner:
            y = x * 2
            y.grad_fn.register_hook(lambda left, _: None)  # type: ignore[union-attr]
            y.sum().backward()
        (x * 3).sum().backward()
    assert patched() == before
    assert kinds(inner).count("backward") == 1
    assert not violations(inner.document) and not violations(outer.document)
    assert x.grad is not None and x.grad.tolist() == [5.0, 5.0]


def around(document: dict[str, Any]) -> list[Any]:
    """Each op with its line and the scopes around it, from the outside in."""
    rows = {scope["id"]: scope for scope in document["scopes"]}

    def path(scope: str | None) -> list[Any]:
        if scope is None or rows[scope]["parent"] is None:
            return []
        return [*path(rows[scope]["parent"]), (rows[scope]["label"], rows[scope]["iteration"])]

    return [(op["name"], op["line"], path(op["scope"])) for op in document["ops"]]


def test_a_loop_in_a_loop_is_inside_its_turns() -> None:
    document = captured(
        "import torch\nx = torch.ones(2, requires_grad=True)\n"
        "for epoch in range(2):\n    for batch in range(2):\n        x * 2\n    x * 3\n"
    )
    turns = [(line, path) for _, line, path in around(document)]
    assert turns == [
        (line, [("for epoch", epoch), *inner])
        for epoch in range(2)
        for line, inner in ((5, [("for batch", 0)]), (5, [("for batch", 1)]), (6, []))
    ]


@pytest.mark.parametrize(
    ("loop", "label"),
    [
        ("for i in range(3): x * i; y = x", "for i"),
        ("for i in [int(k) for k in '012']: x * sum([j * j for j in range(4)])", "for i"),
        ("while (i := i + 1) < 4: x * [[i for _ in 'ab'] for _ in 'cd'][0][0]", "while"),
    ],
)
def test_a_loop_on_one_line_has_turns(loop: str, label: str) -> None:
    document = captured(f"import torch\nx, i = torch.ones(2, requires_grad=True), 0\n{loop}\nx * 3\n")
    assert [path for _, _, path in around(document)] == [[(label, 0)], [(label, 1)], [(label, 2)], []]


@pytest.mark.parametrize("head", ["for _ in range(2):", "while True:"])
def test_a_statement_of_several_lines_is_one_turn(head: str) -> None:
    document = captured(
        f"import torch\nx, n = torch.ones(2, requires_grad=True), 0\n{head}\n"
        "    y = torch.add(\n        x,\n        x * 2,\n    )\n    n += 1\n    if n == 2:\n        break\n"
    )
    assert [path[0][1] for _, _, path in around(document)] == [0, 0, 1, 1]


def test_each_statement_of_a_line_binds_when_it_has_run() -> None:
    document = captured(
        "import torch; from torch import nn\nx = torch.ones(2, requires_grad=True)\n"
        "y = x * 2; y = y * 3; z = y.sum()\ndef f():\n    b, a = x * 1, x * 2\n    return a\n"
        "f()\np = (q := x * 5)\ntry: 1 / 0\nexcept ZeroDivisionError as e: r = x * 1\n"
    )
    told = [e.get("name") or e["op"] for e in document["events"] if e["kind"] in ("op", "bind")]
    assert told[:8] == ["x", "o0", "y", "o1", "y", "o2", "z", "o3"]
    assert [name for name in told[8:] if not name.startswith("o")] == ["b", "a", "q", "p", "r"]


def test_what_hooks_of_a_module_compute_is_inside_its_call() -> None:
    document = captured(
        "import torch\nlayer = torch.nn.Linear(2, 2)\n"
        "layer.register_forward_pre_hook(lambda m, args: (args[0] + 1,))\n"
        "layer.register_forward_hook(lambda m, args, out: out * 2)\n"
        "try: layer(torch.ones(1, 3))\nexcept RuntimeError: pass\nlayer(torch.ones(1, 2)) - 1\n"
    )
    *inside, (_, _, outside) = [op for op in around(document) if op[1] != 2]
    assert all(path[0][0] == "Linear" for _, _, path in inside) and outside == []


def test_hooks_from_before_a_write_in_place_are_told() -> None:
    x, seen = torch.ones(2, requires_grad=True), []
    with backlight.capture() as run:
        y = x * 2
        y.register_hook(lambda g: seen.append(g.tolist()))
        y.mul_(3)
        y.register_hook(lambda g: seen.append(g.tolist()))
        y.sum().backward()
    told = [event["before"][0] for event in run.document["events"] if event["kind"] == "hook"]
    assert [run.document["values"][value]["data"] for value in told] == seen == [[1.0, 1.0], [3.0, 3.0]]
    assert not violations(run.document)


def test_no_gradient_arrives_as_well() -> None:
    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return a * b

        @staticmethod
        def backward(ctx: Any, g: torch.Tensor) -> Any:
            return g, None

    a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        First.apply(a, b * 2).sum().backward()
    sends = [send for event in run.document["events"] if event["kind"] == "node" for send in event["sends"]]
    assert [send["value"] is None for send in sends] == [False, False, True, True]
    assert all(send["arrived"] == send["expected"] == 1 for send in sends)


def test_a_batch_of_gradients_is_one_pass_with_all_its_values() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with backlight.capture() as run:
        torch.autograd.grad(x**2, x, torch.eye(2), is_grads_batched=True)
    document = run.document
    (node,) = [event for event in document["events"] if event["kind"] == "node"]
    assert document["values"][node["grad_outputs"][0]]["data"] == [[1.0, 0.0], [0.0, 1.0]]
    assert document["values"][node["grad_inputs"][0]]["data"] == [[2.0, 0.0], [0.0, 4.0]]


def test_a_pass_for_inputs_reaches_what_leads_to_them() -> None:
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        torch.autograd.grad((x * 2 + w.exp()).sum(), x)
    names = {node["id"]: node["name"] for node in run.document["nodes"]}
    (event,) = [event for event in run.document["events"] if event["kind"] == "backward"]
    reached = sorted(names[node] for node in event["reachable"])
    assert reached == ["AccumulateGrad", "AddBackward0", "MulBackward0", "SumBackward0"]


@pytest.mark.parametrize("wrong", [{"inputs": {"x": 3}}, {"inputs": [torch.ones(2)]}, {"create_graph": None}])
def test_a_pass_that_pytorch_refuses_ends_no_recording(wrong: dict[str, Any]) -> None:
    x = torch.ones(2, requires_grad=True)
    with backlight.capture() as run:
        with pytest.raises((RuntimeError, TypeError)):
            x.sum().backward(**wrong)
        (x * 2).sum().backward()
    kinds = [event["kind"] for event in run.document["events"]]
    assert kinds.count("backward") == 1 and kinds[-1] == "backward_end"


def test_programs_see_their_own_numbers_of_handles() -> None:
    torch.utils.hooks.RemovableHandle.next_id = 0
    x = torch.ones(2, requires_grad=True)
    with backlight.capture():
        handle = x.register_hook(lambda g: g)
        x.sum().backward()
        assert x.register_hook(lambda g: g).id == handle.id + 1 == 1


def test_a_tensor_stands_where_it_was_made_also_at_the_address_of_one_that_is_gone() -> None:
    document = captured(
        "import torch\nx = torch.ones(3, requires_grad=True)\nzs = [torch.zeros(3) for _ in range(60)]\n"
        "del zs\nys = [\n    x * k for k in range(60)]\n"
    )
    lines = {tensor["id"]: tensor["line"] for tensor in document["tensors"]}
    assert {lines[op["outputs"][0]] for op in document["ops"]} == {6}


def test_lists_of_tensors_that_were_released_are_not_asked_for() -> None:
    x, at = torch.ones(3, requires_grad=True), torch.tensor([0, 2])
    loss = (x[at] * 2).sum()
    loss.backward()
    assert "IndexBackward0" in [node["name"] for node in backlight.show(loss).document["nodes"]]
    with backlight.capture(limits=backlight.Limits(ops=3)) as run:
        for _ in range(4):
            x[at].sum().backward()
    assert run.document["limits"]["truncated"] == "ops"
    assert not violations(run.document)


@pytest.mark.parametrize("limits", [backlight.Limits(), backlight.Limits(ops=3)])
def test_a_view_that_may_not_be_asked_for_its_history_is_left_alone(limits: backlight.Limits) -> None:
    def given(view: torch.Tensor) -> torch.Tensor:
        return view

    x = torch.ones(2, 2, requires_grad=True) * 2
    with warnings.catch_warnings(), backlight.capture(limits=limits) as run:
        warnings.simplefilter("error")
        view, _ = x.unbind(0)
        with torch.no_grad():
            x.mul_(2)
        given(view)
        for _ in range(3):
            x.sum()
    assert not (run.document["limits"]["truncated"] or "").startswith("error")
    with pytest.raises(RuntimeError, match="is a view"):
        _ = view.grad_fn


def test_what_an_optimizer_holds_beyond_the_graph_is_in_a_recording_that_was_cut() -> None:
    document = captured(
        "import torch\nx = torch.ones(2, requires_grad=True)\nfor _ in range(4):\n    w = x.exp() * 2\n"
        "    w.retain_grad()\n    torch.optim.SGD([w], lr=0.1, differentiable=True).step()\n"
        "    (x + w).sum().backward()\n",
        backlight.Limits(ops=5),
    )
    assert document["limits"]["truncated"] == "ops" and len(document["optimizers"]) == 4
    assert not violations(document)


def test_modules_that_forgot_their_init_are_recorded_as_far_as_they_are() -> None:
    class Broken(nn.Module):
        def __init__(self) -> None:
            self.width = 3

    class Holder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.broken = nn.Linear(2, 2), Broken()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.first(x)

    holder, alone = Holder(), Broken()
    with pytest.raises(AttributeError, match="_modules"):
        list(holder.modules())
    with backlight.capture() as run:
        members = [alone, holder]
        holder(torch.ones(1, 2)).sum().backward()
    assert members and run.document["modules"] == []
    assert kinds(run).count("accumulate") == 2
    assert not violations(run.document)


def test_an_op_and_its_node_take_few_calls() -> None:
    x, calls = torch.ones(2, requires_grad=True), {"dispatch": 0, "pass": 0}
    here = str(Path(backlight.__file__).parent)

    def count(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(here):
            calls[part] += 1

    with backlight.capture():
        y = x * 3
        part = "dispatch"
        sys.setprofile(count)
        for _ in range(100):
            y = y * 1.01
        part = "pass"
        z = y.sum()
        calls["pass"] = 0
        z.backward()
        sys.setprofile(None)
    assert calls["dispatch"] <= 2600 and calls["pass"] <= 3200


def test_a_parameter_without_a_shape_is_told_when_it_has_one() -> None:
    with backlight.capture() as run:
        layer = nn.LazyLinear(2)
        weight = layer.weight
        loss = layer(torch.ones(1, 3)).sum()
        loss.backward()
    document = run.document
    assert document["limits"]["truncated"] is None
    assert [2, 3] == list(weight.shape) in [tensor["shape"] for tensor in document["tensors"] if tensor["grad"]]
    assert kinds(run).count("accumulate") == 2


class Seeing(TorchDispatchMode):
    """A mode of the program's own."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen.append(str(func))
        return func(*args, **(kwargs or {}))


def test_a_mode_of_the_program_sees_no_operators_of_the_recorder() -> None:
    def seen() -> list[str]:
        x = torch.ones(2, requires_grad=True)
        with Seeing() as mode:
            (x * 2).sum().backward()
        return mode.seen[:-1]  # the last one puts the gradient into the leaf, as its own or as a copy

    alone = seen()
    with backlight.capture():
        recorded = seen()
    assert recorded[: len(alone)] == alone and "aten.linalg_vector_norm.default" not in recorded


def per_sample() -> None:
    net = nn.Linear(2, 1)
    parameters = dict(net.named_parameters())

    def loss(parameters: Any, x: torch.Tensor) -> torch.Tensor:
        return functional_call(net, parameters, (x[None],)).pow(2).mean()

    vmap(grad(loss), (None, 0))(parameters, torch.randn(4, 2))


def on_meta() -> None:
    with torch.device("meta"):
        nn.Linear(2, 2)(torch.ones(1, 2)).sum().backward()


def on_fakes() -> None:
    with FakeTensorMode():
        nn.Linear(2, 2)(torch.ones(1, 2)).sum().backward()


def nested() -> None:
    a, b = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
    n = torch.nested.as_nested_tensor([a, b])
    (n * 2).to_padded_tensor(0.0).sum().backward()
    assert a.grad is not None and a.grad.tolist() == [2.0, 2.0]


def jagged() -> None:
    rows = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)
    nn.Linear(3, 2)(rows).values().sum().backward()


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("program", [per_sample, on_meta, on_fakes, nested, jagged])
def test_tensors_that_have_no_numbers_of_their_own_end_no_recording(program: Callable[[], None]) -> None:
    with backlight.capture() as run:
        program()
    assert run.document["limits"]["truncated"] is None
    assert kinds(run).count("backward") == 1


@pytest.mark.filterwarnings("ignore")
def test_memory_that_was_given_back_is_not_read() -> None:
    def give_back(leaf: torch.Tensor) -> None:
        leaf.untyped_storage().resize_(0)

    gathered = torch.ones(300, requires_grad=True)
    gathered.register_post_accumulate_grad_hook(give_back)
    with backlight.capture() as run:
        for _ in range(2):
            gathered.untyped_storage().resize_(1200)
            (gathered * 2).sum().backward()
    leaf = next(row for row in run.document["tensors"] if row["name"] == "gathered")
    final = run.document["values"][leaf["final"]]
    assert run.document["limits"]["truncated"] is None and not violations(run.document)
    assert final["data"] is None and final["stats"]["min"] is None


def test_arguments_that_refuse_to_be_compared_are_told_by_their_type() -> None:
    class Group:
        def __eq__(self, other: object) -> bool:
            raise NotImplementedError

    add = operator_of(torch.ops.aten.add.Tensor)
    assert arguments(add, (torch.ones(1), torch.ones(1)), {"alpha": Group()}) == {"alpha": "Group"}


def test_operators_of_a_higher_order_run_below_the_recorder() -> None:
    x, modes = torch.ones(3), torch._C._len_torch_dispatch_stack()
    with backlight.capture() as run, torch.no_grad():
        y = torch.cond(x.sum() > 0, lambda a: (a.sin(),), lambda a: (a.cos(),), (x * 1,))
    assert torch.equal(y[0], x.sin()) and run.document["limits"]["truncated"] is None
    assert torch._C._len_torch_dispatch_stack() == modes


def test_branches_may_return_and_use_what_they_may_elsewhere() -> None:
    x, layer = torch.tensor([1.0, -2.0], requires_grad=True), nn.Linear(2, 2)

    def loss() -> torch.Tensor:
        y = torch.cond(x.sum() > 0, lambda a: {"of": layer(a)}, lambda a: {"of": layer(a).relu() + a.sin()}, (x,))
        return y["of"].sum() + torch.cond(True, lambda a: a.sum(), lambda a: a, (x,))

    wanted = torch.autograd.grad(loss(), [x, layer.weight])
    with backlight.capture() as run:
        loss().backward()
    assert torch.equal(wanted[0], x.grad) and torch.equal(wanted[1], layer.weight.grad)
    document = run.document
    assert [op["name"] for op in document["ops"]] == ["sum", "gt", "cond", "sum", "sum", "add"]
    assert document["limits"]["recorded"]["passes"] == 1
    assert not violations(document)


def test_sums_inside_transforms_end_no_recording() -> None:
    document = captured(record(SNIPPETS / "func" / "functions_push_tangents.json")["code"])
    assert (document["error"], document["limits"]["truncated"]) == (None, None)


@pytest.mark.filterwarnings("error")
def test_the_recorder_is_not_compiled() -> None:
    fast = torch.compile(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)), backend="eager")
    x, handler = torch.randn(5, 3), _Heard()
    logger = logging.getLogger("torch._dynamo.convert_frame")
    logger.addHandler(handler)
    try:
        with backlight.capture() as run:
            fast(x).pow(2).mean().backward()
    finally:
        logger.removeHandler(handler)
    assert handler.heard == []
    assert kinds(run).count("backward") == 1


class _Heard(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


def test_a_warning_is_of_the_line_of_the_program(tmp_path: Path) -> None:
    script = tmp_path / "warned.py"
    script.write_text("import torch\nw = torch.ones(1, requires_grad=True)\nfloat((w * 2).sum())\n")
    done = subprocess.run(
        [sys.executable, "-m", "backlight", script.name, "--json", "run.json"],
        cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert done.stderr.startswith(f"{script}:3: UserWarning: Converting a tensor")
