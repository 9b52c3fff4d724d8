"""What a recording leaves behind: nothing. Programs over PyTorch and over libraries, as far as these are installed, run
in a recording, and what PyTorch and Python are set to is compared before and after. `python client/tests/traces.py`.
"""

# ruff: noqa: PLC0415 - a library is loaded where it is tried
from __future__ import annotations

import importlib.util
import random
import sys
import warnings
from collections.abc import Callable
from typing import Any

import backlight
import torch
from torch import nn
from torch.autograd import graph
from torch.nn import functional as F  # noqa: N812 - as everybody calls it
from torch.nn.modules import module as modules
from torch.optim import optimizer as optimizers
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

X, Y = torch.linspace(-1, 1, 24).view(6, 4), torch.linspace(0, 1, 6).view(6, 1)


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
        "saved tensors": torch._C._autograd._top_saved_tensors_default_hooks(True),
        "tensor methods": {name: getattr(torch.Tensor, name) for name in ("item", "tolist", "numpy", "detach", "grad")},
        "streams": (sys.stdout, sys.stderr, sys.gettrace(), sys.getprofile(), sys.excepthook, sys.displayhook),
    }  # fmt: skip


def _stance() -> str:
    return str(torch._dynamo.eval_frame._stance.stance)


def randomness() -> tuple[Any, ...]:
    """What the next random numbers depend on."""
    return torch.get_rng_state().tolist(), random.getstate()


def step(model: nn.Module, x: Any = X, loss: Callable[[Any], torch.Tensor] = lambda y: y.square().mean()) -> None:
    """An iteration of a training."""
    optimizer = torch.optim.AdamW(model.parameters(), 0.01)
    loss(model(**x) if isinstance(x, dict) else model(x)).backward()
    optimizer.step()
    optimizer.zero_grad()


def mlp() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))


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
    from torch.utils.checkpoint import checkpoint

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


def transformers() -> None:
    from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, T5Config, T5Model, ViTConfig, ViTModel

    ids = torch.arange(8).view(2, 4)
    small = {"vocab_size": 20, "bos_token_id": None, "eos_token_id": None}
    step(
        GPT2LMHeadModel(GPT2Config(n_layer=1, n_embd=8, n_head=2, **small)),
        {"input_ids": ids},
        lambda y: y.logits.sum(),
    )
    bert = BertConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, vocab_size=20)
    step(BertModel(bert), {"input_ids": ids}, lambda y: y.last_hidden_state.sum())
    t5 = T5Config(d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2, vocab_size=20)
    step(T5Model(t5), {"input_ids": ids, "decoder_input_ids": ids}, lambda y: y.last_hidden_state.sum())
    vit = ViTConfig(
        hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8, image_size=8, patch_size=4
    )
    step(ViTModel(vit), torch.randn(1, 3, 8, 8), lambda y: y.last_hidden_state.sum())


def peft() -> None:
    from peft import LoraConfig, get_peft_model

    step(get_peft_model(mlp(), LoraConfig(target_modules=["0", "3"], r=2)))  # type: ignore[arg-type]


def accelerate() -> None:
    from accelerate import Accelerator

    accelerator, model = Accelerator(cpu=True), mlp()
    model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), 0.1))
    accelerator.backward(model(X).sum())
    optimizer.step()


def lightning() -> None:
    import lightning

    class Lit(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.net = mlp()

        def training_step(self, batch: Any, _: int) -> Any:
            return F.mse_loss(self.net(batch[0]), batch[1])

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), batch_size=3)
    quiet = {
        "logger": False,
        "enable_checkpointing": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
    }
    lightning.Trainer(max_epochs=1, accelerator="cpu", **quiet).fit(Lit(), data)


def skorch() -> None:
    from skorch import NeuralNetRegressor

    NeuralNetRegressor(nn.Linear(4, 1), max_epochs=1, verbose=0, train_split=None).fit(X.numpy(), Y.numpy())


def timm() -> None:
    from timm import create_model

    step(create_model("vit_tiny_patch16_224", img_size=32, depth=1, num_classes=2), torch.randn(1, 3, 32, 32))
    step(create_model("resnet10t", num_classes=2), torch.randn(2, 3, 32, 32))


def torch_geometric() -> None:
    from torch_geometric.nn import GATConv, GCNConv

    edges = torch.tensor([[0, 1, 2], [1, 2, 3]])
    for layer in (GCNConv(4, 2), GATConv(4, 2)):
        layer(X, edges).sum().backward()


def gpytorch() -> None:
    from gpytorch.distributions import MultivariateNormal
    from gpytorch.kernels import RBFKernel
    from gpytorch.means import ConstantMean

    mean, kernel = ConstantMean(), RBFKernel()
    noise = torch.eye(6) * 0.1
    (-MultivariateNormal(mean(X), kernel(X).add_jitter(0.1).to_dense() + noise).log_prob(Y[:, 0])).backward()


def pyro() -> None:
    import pyro
    from pyro.infer import SVI, Trace_ELBO

    def model() -> None:
        pyro.sample("x", pyro.distributions.Normal(0.0, 1.0), obs=torch.tensor(0.3))

    def guide() -> None:
        pyro.param("w", torch.tensor(0.1))

    pyro.clear_param_store()
    SVI(model, guide, pyro.optim.Adam({"lr": 0.01}), Trace_ELBO()).step()


def higher() -> None:
    import higher

    model = mlp()
    with higher.innerloop_ctx(model, torch.optim.SGD(model.parameters(), 0.1)) as (inner, optimizer):
        optimizer.step(inner(X).sum())
        inner(X).sum().backward()


def torchdiffeq() -> None:
    from torchdiffeq import odeint_adjoint

    field = nn.Linear(4, 4)
    odeint_adjoint(
        lambda t, y: field(y), X, torch.tensor([0.0, 1.0]), adjoint_params=tuple(field.parameters())
    ).sum().backward()


def kornia() -> None:
    import kornia

    kornia.filters.gaussian_blur2d(torch.randn(1, 1, 8, 8).requires_grad_(), (3, 3), (1.0, 1.0)).sum().backward()


def entmax() -> None:
    import entmax

    entmax.entmax15(X.clone().requires_grad_(), dim=1).square().sum().backward()


def x_transformers() -> None:
    from x_transformers import Encoder

    step(Encoder(dim=8, depth=1, heads=2), torch.randn(1, 4, 8))


def einops() -> None:
    from einops.layers.torch import Rearrange

    step(nn.Sequential(nn.Linear(4, 4), Rearrange("b (a c) -> b a c", a=2)))


def torchmetrics() -> None:
    import torchmetrics

    torchmetrics.MeanSquaredError()(mlp()(X), Y).backward()


def lion_pytorch() -> None:
    from lion_pytorch import Lion

    model = mlp()
    model(X).sum().backward()
    Lion(model.parameters(), lr=0.01).step()


OWN = [
    lambda: step(mlp()), cnn, lstm, transformer, mixed, lbfgs, checkpointed, functional, custom, hooked, compiled,
    scripted, parametrized, sparse, failing, twice, watched,
]  # fmt: skip
LIBRARIES = [
    transformers, peft, accelerate, lightning, skorch, timm, torch_geometric, gpytorch, pyro, higher, torchdiffeq,
    kornia, entmax, x_transformers, einops, torchmetrics, lion_pytorch,
]  # fmt: skip


def left(program: Callable[[], None]) -> list[str]:
    """What is not as it was after a recording of a program that has run before, as libraries set much when they load;
    and `randomness` if the recorded program drew other random numbers than the same one alone."""
    drawn = []
    for recorded in (False, True):
        torch.manual_seed(0)
        random.seed(0)
        before = state()
        if recorded:
            with backlight.capture():
                program()
        else:
            program()
        drawn.append(randomness())
    after = state()
    return [
        *(name for name in before if before[name] != after[name]),
        *(["randomness"] if drawn[0] != drawn[1] else []),
    ]


def main() -> int:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    bad = 0
    for program in (*OWN, *LIBRARIES):
        name = program.__name__.replace("<lambda>", "mlp")
        if program in LIBRARIES and importlib.util.find_spec(name) is None:
            print(f"{name:18}not installed")
            continue
        try:
            program()
        except Exception as error:
            print(f"{name:18}does not run here: {type(error).__name__}: {str(error)[:70]}")
            continue
        found = left(program)
        bad += bool(found)
        print(f"{name:18}{', '.join(found) or 'nothing left'}", flush=True)
    return bad


if __name__ == "__main__":
    raise SystemExit(main())
