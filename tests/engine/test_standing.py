"""The modules that stand in for PyTorch's: their names, where functions say that they are, and what is not here."""

from __future__ import annotations

from tests.forked import in_ordinary_python

PRELUDE = """
import engine.torch
import sys
import torch
from torch import nn
"""


def said(program: str) -> list[str]:
    """In a process of its own, for functions that once say where they are go on."""
    printed, error = in_ordinary_python(PRELUDE + program)
    assert error is None
    return printed.splitlines()


def test_functions_and_methods_say_where_pytorch_has_them() -> None:
    program = """
import torch.nn.functional as F
for found in (torch.add, torch.einsum, F.relu, torch.save, torch.manual_seed, torch.vmap, nn.init.zeros_,
              nn.Linear.forward, nn.utils.clip_grad_norm_, torch.cuda.is_available, torch.Tensor.backward):
    print(found.__module__)
"""
    assert (
        said(program)
        == (
            "torch torch.functional torch.nn.functional torch.serialization torch.random torch.func torch.nn.init"
            " torch.nn.modules.linear torch.nn.utils.clip_grad torch.cuda torch._tensor"
        ).split()
    )


def test_programs_in_one_process_run_as_before() -> None:
    program = """
from engine.program import execute
code = "import torch, numpy as np; print(torch.full((2,), np.float64(2)), torch.add(torch.ones(1), np.int64(1)))"
print(execute(code).stdout)
"""
    assert said(program)[0] == "tensor([2., 2.]) tensor([2.])"


def test_what_is_not_here_says_so_where_it_is_used() -> None:
    program = """
import functorch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import fx, hub, onnx
for use in (lambda: hub.load("a", "b"), lambda: onnx.export(None), lambda: fx.symbolic_trace(None),
            lambda: dist.init_process_group("gloo", "tcp://localhost"), lambda: mp.spawn(print, nprocs=2)):
    try:
        use()
    except NotImplementedError as error:
        print(str(error).partition(":")[0])
print(dist.is_initialized(), mp.get_sharing_strategy())
"""
    assert said(program) == [
        "torch.hub.load() cannot be used here",
        "torch.onnx.export() cannot be used here",
        "torch.fx.symbolic_trace() cannot be used here",
        "torch.distributed starts no group here",
        "torch.multiprocessing.spawn starts no processes here",
        "False file_descriptor",
    ]


def test_reports_are_taken_and_are_no_numbers() -> None:
    program = """
from engine.core.state import state
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.tensorboard import SummaryWriter
state.notice = print
with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=2)) as prof:
    with record_function("sum"):
        torch.ones(2).sum()
    prof.step()
print(prof.key_averages().table(sort_by="cpu_time_total"))
print(SummaryWriter().add_scalar("loss", torch.tensor(1.0), 0))
"""
    told = "Nothing is measured here: the profiler's report is empty."
    tensorboard = "TensorBoard shows nothing here: what is added to a SummaryWriter is not written."
    assert said(program) == [told, told, tensorboard, "None"]


def test_what_packages_built_on_pytorch_touch_is_there_and_says_what_it_is() -> None:
    program = """
import torch.fx, torch.ops
print([part.tolist() for part in torch.tensor_split(torch.arange(3), indices=[1])])
print([part.tolist() for part in torch.tensor_split(torch.arange(3), sections=2)])
print(torch.fx.wrap(len) is len, torch.jit._overload_method(len) is len, torch._check(True, lambda: "not said"))
boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30]])
print(torch.ops.torchvision.nms(boxes, torch.tensor([0.5, 0.9, 0.3]), 0.5).tolist())
for wrong in (lambda: torch._check_value(False, lambda: "said"), torch.fx.Tracer, lambda: torch.ops.package.op(1)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
"""
    assert said(program) == [
        "[[0], [1, 2]]",
        "[[0, 1], [2]]",
        "True True None",
        "[1, 2]",
        "ValueError said",
        "NotImplementedError torch.fx.Tracer() cannot be used here: functions are run, not rewritten",
        "NotImplementedError torch.ops.package.op is compiled code, which is not here: write it with torch",
    ]
