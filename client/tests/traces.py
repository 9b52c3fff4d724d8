"""What a recording leaves behind: nothing. Programs over PyTorch, and over libraries as far as these are installed, run
alone and in a recording; what they compute is compared bit by bit, and what PyTorch and Python are set to before and
after. `python client/tests/traces.py [--pages FOLDER] [NAME …]`; with a folder, pages are opened in a browser, too.
"""

from __future__ import annotations

import importlib.util
import random
import shutil
import sys
import warnings
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import backlight
import torch
from libraries import LIBRARIES, X, Y, mlp, step
from torch import nn
from torch.autograd import graph
from torch.nn import functional as F  # noqa: N812 - as everybody calls it
from torch.nn.modules import module as modules
from torch.optim import optimizer as optimizers
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils.checkpoint import checkpoint

Program = Callable[[], Any]
"""It may give tensors, which are to be the same when it is recorded."""


def state() -> dict[str, Any]:
    """What programs can see of it."""
    hooks = [name for name in vars(modules) if name.startswith("_global") and name.endswith("hooks")]
    return {
        "engine": (graph._engine_run_backward, torch.autograd.backward, torch.autograd.grad, torch.Tensor.backward),
        "functions": (torch.autograd.function.BackwardCFunction.apply, torch.autograd.Function.apply, torch.cond),
        "module hooks": [len(getattr(modules, name)) for name in hooks],
        "module calls": (nn.Module.__call__, nn.Module._call_impl, nn.Module.__setattr__),
        "optimizer hooks": (
            len(optimizers._global_optimizer_pre_hooks), len(optimizers._global_optimizer_post_hooks),
            torch.optim.Optimizer.zero_grad, torch.optim.Optimizer.add_param_group,
        ),
        "warnings": (list(warnings.filters), warnings.showwarning, warnings.formatwarning),
        "compile": (torch.compile, "torch._dynamo" not in sys.modules or _stance()),
        "defaults": (torch.get_default_dtype(), torch.get_default_device(), torch.get_num_threads()),
        "grad modes": (torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.is_anomaly_enabled()),
        "autocast": (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")),
        "modes": (len(_get_current_dispatch_mode_stack()), torch._C._len_torch_function_stack()),
        "saved tensors": _saving and _saving(True),
        "tensor methods": {name: getattr(torch.Tensor, name) for name in ("item", "tolist", "numpy", "detach", "grad")},
        "streams": (sys.stdout, sys.stderr, sys.gettrace(), sys.getprofile(), sys.excepthook, sys.displayhook),
    }  # fmt: skip


_saving: Any = getattr(torch._C._autograd, "_top_saved_tensors_default_hooks", None)
"""Tells the hooks that save; PyTorch 2.4 has none."""


def _stance() -> str:
    """The compiler's, which PyTorch has from 2.6 on."""
    stance = getattr(torch._dynamo.eval_frame, "_stance", None)
    return str(getattr(stance, "stance", stance))


def randomness() -> tuple[Any, ...]:
    """What the next random numbers depend on."""
    return torch.get_rng_state().tolist(), random.getstate()


def lstm() -> None:
    model = nn.LSTM(4, 5, batch_first=True)
    step(model, X.view(2, 3, 4), lambda y: y[0].sum())


def transformer() -> None:
    step(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), X.view(2, 3, 4))


def cnn() -> None:
    step(nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.MaxPool2d(2)), X.view(1, 1, 6, 4))


def mixed() -> None:
    model, scaler = mlp(), torch.amp.GradScaler("cpu")  # type: ignore[attr-defined]
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with torch.autocast("cpu", torch.bfloat16):
        loss = F.mse_loss(model(X).float(), Y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def lbfgs() -> None:
    model = mlp()
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = F.mse_loss(model(X), Y)
        loss.backward()
        return loss

    optimizer.step(closure)  # type: ignore[arg-type]


def checkpointed() -> None:
    model = mlp()
    checkpoint(model, X.clone().requires_grad_(), use_reentrant=False).sum().backward()


def functional() -> None:
    w = torch.ones(4)
    torch.func.vmap(torch.func.grad(lambda w, x: (w * x).sum().sin()), (None, 0))(w, X)
    torch.func.jvp(torch.sin, (X,), (X,))
    torch.func.hessian(lambda w: (w**3).sum())(w)


def custom() -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return 2 * x

        @staticmethod
        def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
            return 2 * g

    x = X.clone().requires_grad_()
    Double.apply(x).sum().backward()


def hooked() -> None:
    model = mlp()
    kept = [model.register_full_backward_hook(lambda *_: None), model[0].weight.register_hook(lambda g: g * 2)]
    with torch.autograd.graph.save_on_cpu():
        model(X).sum().backward()
    for handle in kept:
        handle.remove()


def compiled() -> None:
    step(torch.compile(mlp(), backend="eager"))  # type: ignore[arg-type]


def scripted() -> None:
    torch.jit.trace(nn.Linear(4, 1), X)(X).sum().backward()


def parametrized() -> None:
    step(nn.utils.parametrizations.weight_norm(nn.Linear(4, 2)))


def sparse() -> None:
    table = nn.Embedding(5, 3, sparse=True)
    table(torch.tensor([0, 2])).sum().backward()
    torch.optim.SparseAdam(table.parameters()).step()


def failing() -> None:
    try:
        mlp()(X.T)
    except RuntimeError:
        pass
    with torch.no_grad(), torch.autograd.set_detect_anomaly(False):
        mlp()(X)


def twice() -> None:
    x = X.clone().requires_grad_()
    (g,) = torch.autograd.grad(x.sin().sum(), x, create_graph=True)
    g.square().sum().backward()


def watched() -> None:
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with backlight.watch(model, optimizer, every=2):
        for _ in range(3):
            model(X).sum().backward()
            optimizer.step()
            optimizer.zero_grad()


OWN = [
    lambda: step(mlp()), cnn, lstm, transformer, mixed, lbfgs, checkpointed, functional, custom, hooked, compiled,
    scripted, parametrized, sparse, failing, twice, watched,
]  # fmt: skip


def left(program: Program) -> tuple[list[str], backlight.Run]:
    """What is not as it was after a recording of a program that has run before, as libraries set much when they load;
    `randomness` if the recorded program drew other random numbers than the same one alone, and `numbers` if it computed
    others. And the recording."""
    drawn: list[Any] = []
    given: list[Any] = []
    for recorded in (False, True):
        torch.manual_seed(0)
        random.seed(0)
        before = state()
        if recorded:
            with backlight.capture() as run:
                given.append(program())
        else:
            given.append(program())
        drawn.append(randomness())
    after = state()
    return [
        *(name for name in before if before[name] != after[name]),
        *(["randomness"] if drawn[0] != drawn[1] else []),
        *([] if _alike(*given) else ["numbers"]),
    ], run


def _alike(one: Sequence[torch.Tensor] | None, other: Sequence[torch.Tensor] | None) -> bool:
    """Whether two lists of tensors are the same bit by bit."""
    if one is None or other is None:
        return one is other
    return len(one) == len(other) and all(
        a.shape == b.shape and a.dtype == b.dtype and torch.equal(a.isnan(), b.isnan())
        and torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in zip(one, other, strict=True)
    )  # fmt: skip


def seen(page: Path) -> list[str]:
    """What a saved page complains of and asks others for, in a browser."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where pages are opened

    said: list[str] = []
    flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        sight = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        sight.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
        sight.on("pageerror", lambda error: said.append(str(error)))
        sight.on("request", lambda asked: said.append(asked.url) if asked.url.startswith("http") else None)
        sight.goto(page.as_uri())
        sight.locator("#story .say").wait_for(timeout=60_000)
        sight.screenshot(path=page.with_suffix(".png"))
        browser.close()
    return said


def main() -> int:
    parser = ArgumentParser(description="Record programs over libraries, and tell what that changes.")
    parser.add_argument("--pages", type=Path, help="a folder for their pages, which are opened, too")
    parser.add_argument("names", nargs="*", help="parts of the names of programs to run, instead of all")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    bad = 0
    for program in (*OWN, *LIBRARIES):
        name = program.__name__.replace("<lambda>", "mlp")
        if given.names and not any(part in name for part in given.names):
            continue
        if program in LIBRARIES and importlib.util.find_spec(name.partition("__")[0]) is None:
            print(f"{name:36}not installed")
            continue
        try:
            program()
        except Exception as error:
            print(f"{name:36}does not run here: {type(error).__name__}: {str(error)[:70]}")
            continue
        found, run = left(program)
        told = [f"{row['severity']} {row['rule']}" for row in run.document.get("findings", ())]
        if given.pages:
            page = given.pages / f"{name}.html"
            run.save(page)
            found += seen(page)
        bad += bool(found)
        print(f"{name:36}{', '.join(found) or 'nothing left'}; {run!r} {' '.join(told)}", flush=True)
    return bad


if __name__ == "__main__":
    raise SystemExit(main())
