"""A training step with each of many libraries over PyTorch, for `traces.py`: small random models, nothing downloaded.

A program is called after the package that has to be there for it, up to two underscores. What it gives is compared bit
by bit with what it gives when it is recorded.
"""

# ruff: noqa: PLC0415 - a library is loaded where it is tried
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everybody calls it

X, Y = torch.linspace(-1, 1, 24).view(6, 4), torch.linspace(0, 1, 6).view(6, 1)
IDS = torch.arange(8).view(2, 4)
EDGES = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]])

Given = list[Tensor]


def loss_of(out: Any) -> Tensor:
    """A number of whatever a model gives."""
    for name in ("loss", "logits", "last_hidden_state", "sample"):
        if getattr(out, name, None) is not None:
            out = getattr(out, name)
    if isinstance(out, dict):
        out = list(out.values())
    if isinstance(out, (tuple, list)):
        return torch.stack([loss_of(each) for each in out if torch.is_tensor(each) and each.is_floating_point()]).sum()
    return out.abs().square().mean() if out.dim() else out


def step(model: nn.Module, x: Any = X, loss: Callable[[Any], Tensor] = loss_of, optimizer: Any = None) -> Given:
    """An iteration of a training: the loss, gradients, and parameters after it."""
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = optimizer or torch.optim.AdamW(parameters, 0.01)
    optimizer.zero_grad()
    out = loss(model(**x) if isinstance(x, dict) else model(*x) if isinstance(x, tuple) else model(x))
    out.backward()
    grads = [p.grad.clone() for p in parameters if p.grad is not None]
    optimizer.step()
    optimizer.zero_grad()
    return [out.detach(), *grads, *(p.detach().clone() for p in parameters)]


def grads(out: Tensor, leaves: Iterable[Tensor]) -> Given:
    """The gradients of a number with respect to these."""
    leaves = list(leaves)
    out.backward()
    return [out.detach(), *(leaf.grad for leaf in leaves if leaf.grad is not None)]


def mlp() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))


def leaf(*shape: int) -> Tensor:
    return torch.randn(*shape, requires_grad=True)


SMALL = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8, "vocab_size": 20}


# Language, vision and sound


def transformers__gpt2() -> Given:
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(n_layer=2, n_embd=8, n_head=2, vocab_size=20, bos_token_id=None, eos_token_id=None)
    return step(GPT2LMHeadModel(config), {"input_ids": IDS, "labels": IDS})


def transformers__bert() -> Given:
    from transformers import BertConfig, BertForSequenceClassification

    return step(BertForSequenceClassification(BertConfig(**SMALL)), {"input_ids": IDS, "labels": torch.tensor([0, 1])})


def transformers__t5() -> Given:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2, vocab_size=20, decoder_start_token_id=0)
    return step(T5ForConditionalGeneration(config), {"input_ids": IDS, "labels": IDS})


def transformers__vit() -> Given:
    from transformers import ViTConfig, ViTForImageClassification

    small = {name: value for name, value in SMALL.items() if name != "vocab_size"}
    model = ViTForImageClassification(ViTConfig(image_size=8, patch_size=4, **small))
    return step(model, {"pixel_values": torch.randn(2, 3, 8, 8), "labels": torch.tensor([0, 1])})


def transformers__llama() -> Given:
    from transformers import LlamaConfig, LlamaForCausalLM

    model = LlamaForCausalLM(LlamaConfig(num_key_value_heads=1, **SMALL))
    model.gradient_checkpointing_enable()
    model.train()
    return step(model, {"input_ids": IDS, "labels": IDS, "use_cache": False})


def transformers__mixtral() -> Given:
    from transformers import MixtralConfig, MixtralForCausalLM

    config = MixtralConfig(num_key_value_heads=1, num_local_experts=2, output_router_logits=True, **SMALL)
    return step(MixtralForCausalLM(config), {"input_ids": IDS, "labels": IDS})


def transformers__mamba() -> Given:
    from transformers import MambaConfig, MambaForCausalLM

    model = MambaForCausalLM(MambaConfig(vocab_size=20, hidden_size=8, state_size=4, num_hidden_layers=1))
    return step(model, {"input_ids": IDS, "labels": IDS})


def transformers__whisper() -> Given:
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    config = WhisperConfig(
        vocab_size=20, d_model=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=8, decoder_ffn_dim=8, num_mel_bins=8, max_source_positions=10,
        max_target_positions=10, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
    )  # fmt: skip
    return step(WhisperForConditionalGeneration(config), {"input_features": torch.randn(2, 8, 20), "labels": IDS})


def transformers__clip() -> Given:
    from transformers import CLIPConfig, CLIPModel

    text = {**SMALL, "max_position_embeddings": 8, "eos_token_id": 2}
    sight = {**SMALL, "image_size": 8, "patch_size": 4}
    model = CLIPModel(CLIPConfig(text_config=text, vision_config=sight, projection_dim=8))
    return step(model, {"input_ids": IDS, "pixel_values": torch.randn(2, 3, 8, 8), "return_loss": True})


def transformers__trainer() -> Given:
    import tempfile

    from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

    model = BertForSequenceClassification(BertConfig(**SMALL))
    data = [{"input_ids": ids, "labels": torch.tensor(n)} for n, ids in enumerate(IDS)]
    with tempfile.TemporaryDirectory() as folder:
        told = TrainingArguments(folder, max_steps=2, report_to=[], use_cpu=True, save_strategy="no", disable_tqdm=True)
        Trainer(model, told, train_dataset=data).train()
    return [p.detach().clone() for p in model.parameters()]


def peft__lora() -> Given:
    from peft import LoraConfig, get_peft_model

    return step(get_peft_model(mlp(), LoraConfig(target_modules=["0", "3"], r=2)))  # type: ignore[arg-type]


def peft__gpt2() -> Given:
    from peft import LoraConfig, get_peft_model
    from transformers import GPT2Config, GPT2LMHeadModel

    base = GPT2LMHeadModel(GPT2Config(n_layer=1, n_embd=8, n_head=2, vocab_size=20))
    lora = LoraConfig(target_modules=["c_attn"], r=2, task_type="CAUSAL_LM", fan_in_fan_out=True, use_dora=True)
    return step(get_peft_model(base, lora), {"input_ids": IDS, "labels": IDS})


def trl__dpo() -> Given:
    from trl.trainer.utils import selective_log_softmax

    logits = leaf(2, 4, 20)
    chosen, rejected = selective_log_softmax(logits, IDS).sum(1)
    return grads(-F.logsigmoid(0.1 * (chosen - rejected)), [logits])


def diffusers__unet() -> Given:
    from diffusers import UNet2DModel

    model = UNet2DModel(
        sample_size=8, in_channels=1, out_channels=1, layers_per_block=1, block_out_channels=(8, 8), norm_num_groups=4,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )  # fmt: skip
    return step(model, (torch.randn(1, 1, 8, 8), torch.tensor([3])))


def diffusers__vae() -> Given:
    from diffusers import AutoencoderKL

    return step(AutoencoderKL(block_out_channels=(8,), norm_num_groups=4), torch.randn(1, 3, 8, 8))


def denoising_diffusion_pytorch__ddpm() -> Given:
    from denoising_diffusion_pytorch import GaussianDiffusion, Unet

    unet = Unet(dim=8, dim_mults=(1, 2), channels=1, flash_attn=False)
    return step(GaussianDiffusion(unet, image_size=8, timesteps=10), torch.rand(1, 1, 8, 8))


def sentence_transformers__pairs() -> Given:
    from sentence_transformers import losses

    class Encoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(20, 4)

        def forward(self, features: dict[str, Tensor]) -> dict[str, Tensor]:
            return {"sentence_embedding": self.table(features["input_ids"]).mean(1)}

    encoder = Encoder()
    loss = losses.MultipleNegativesRankingLoss(encoder)  # type: ignore[arg-type]
    return grads(loss([{"input_ids": IDS}, {"input_ids": IDS + 8}], torch.zeros(2)), encoder.parameters())


def open_clip__clip() -> Given:
    from open_clip.loss import ClipLoss
    from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg

    sight = CLIPVisionCfg(layers=1, width=8, head_width=4, patch_size=4, image_size=8)
    model = CLIP(8, sight, CLIPTextCfg(context_length=4, vocab_size=20, width=8, heads=2, layers=1))
    loss = ClipLoss()
    return step(model, (torch.randn(2, 3, 8, 8), IDS), lambda out: loss(*out))


def timm__vit() -> Given:
    from timm import create_model

    return step(create_model("vit_tiny_patch16_224", img_size=32, depth=1, num_classes=2), torch.randn(1, 3, 32, 32))


def timm__resnet() -> Given:
    from timm import create_model

    return step(create_model("resnet10t", num_classes=2), torch.randn(2, 3, 32, 32))


def timm__convnext() -> Given:
    from timm import create_model

    return step(create_model("convnext_atto", num_classes=2, depths=(1, 1, 1, 1)), torch.randn(1, 3, 32, 32))


def torchvision__resnet18() -> Given:
    from torchvision.models import resnet18

    return step(resnet18(num_classes=4), torch.randn(2, 3, 32, 32))


def torchvision__mobilenet() -> Given:
    from torchvision.models import mobilenet_v3_small

    return step(mobilenet_v3_small(num_classes=4), torch.randn(2, 3, 32, 32))


def torchvision__swin() -> Given:
    from torchvision.models import SwinTransformer

    model = SwinTransformer([4, 4], 8, [1, 1], [1, 2], [2, 2], stochastic_depth_prob=0.0, num_classes=2)
    return step(model, torch.randn(1, 3, 16, 16))


def torchvision__segmentation() -> Given:
    from torchvision.models.segmentation import lraspp_mobilenet_v3_large

    model = lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=2)
    return step(model, torch.randn(2, 3, 32, 32))


def segmentation_models_pytorch__unet() -> Given:
    import segmentation_models_pytorch as smp

    model = smp.Unet("resnet18", encoder_weights=None, encoder_depth=3, decoder_channels=(8, 8, 4))
    dice = smp.losses.DiceLoss("binary")
    return step(model, torch.randn(1, 3, 32, 32), lambda y: dice(y, torch.ones(1, 1, 32, 32)))


def monai__unet() -> Given:
    from monai.losses import DiceCELoss
    from monai.networks.nets import UNet

    model = UNet(spatial_dims=3, in_channels=1, out_channels=2, channels=(4, 8), strides=(2,))
    loss = DiceCELoss(to_onehot_y=True, softmax=True)
    return step(model, torch.randn(1, 1, 8, 8, 8), lambda y: loss(y, torch.ones(1, 1, 8, 8, 8)))


def vit_pytorch__vit() -> Given:
    from vit_pytorch import ViT

    model = ViT(image_size=8, patch_size=4, num_classes=2, dim=8, depth=1, heads=2, mlp_dim=8)
    return step(model, torch.randn(1, 3, 8, 8))


def efficientnet_pytorch__b0() -> Given:
    from efficientnet_pytorch import EfficientNet

    return step(
        EfficientNet.from_name("efficientnet-b0", override_params={"num_classes": 2}), torch.randn(2, 3, 32, 32)
    )


def ultralytics__yolo() -> Given:
    from ultralytics.nn.modules import SPPF, C2f, Conv

    return step(nn.Sequential(Conv(3, 8, 3, 2), C2f(8, 8, 1), SPPF(8, 8)), torch.randn(2, 3, 16, 16))


def x_transformers__encoder() -> Given:
    from x_transformers import Encoder

    return step(Encoder(dim=8, depth=1, heads=2), torch.randn(1, 4, 8))


def x_transformers__decoder() -> Given:
    from x_transformers import AutoregressiveWrapper, Decoder, TransformerWrapper

    decoder = Decoder(dim=8, depth=2, heads=2, rotary_pos_emb=True, ff_glu=True)
    return step(AutoregressiveWrapper(TransformerWrapper(num_tokens=20, max_seq_len=8, attn_layers=decoder)), IDS)


def performer_pytorch__performer() -> Given:
    from performer_pytorch import Performer

    return step(Performer(dim=8, depth=1, heads=2, dim_head=4), torch.randn(1, 4, 8))


def local_attention__transformer() -> Given:
    from local_attention import LocalTransformer

    model = LocalTransformer(num_tokens=20, dim=8, depth=1, max_seq_len=8, local_attn_window_size=4)
    return step(model, IDS, lambda y: y.square().mean())


def rotary_embedding_torch__rotary() -> Given:
    from rotary_embedding_torch import RotaryEmbedding

    rotary, q = RotaryEmbedding(dim=4, learned_freq=True), leaf(1, 2, 4, 8)
    return grads(rotary.rotate_queries_or_keys(q).sin().sum(), [q, *rotary.parameters()])


def nnAudio__cqt() -> Given:  # noqa: N802 - as the package is called
    from nnAudio.features import STFT

    wave = leaf(1, 512)
    return grads(STFT(n_fft=64, hop_length=32, verbose=False, output_format="Magnitude")(wave).mean(), [wave])


# Around a training


def accelerate__prepared() -> Given:
    from accelerate import Accelerator

    accelerator, model = Accelerator(cpu=True), mlp()
    model, optimizer = accelerator.prepare(model, torch.optim.SGD(model.parameters(), 0.1))
    accelerator.backward(model(X).sum())
    optimizer.step()
    return [p.detach().clone() for p in model.parameters()]


def lightning__fit() -> Given:
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
    quiet = dict.fromkeys(("logger", "enable_checkpointing", "enable_progress_bar", "enable_model_summary"), False)
    model = Lit()
    lightning.Trainer(max_epochs=1, accelerator="cpu", **quiet).fit(model, data)
    return [p.detach().clone() for p in model.parameters()]


def skorch__regressor() -> Given:
    from skorch import NeuralNetRegressor

    net = NeuralNetRegressor(nn.Linear(4, 1), max_epochs=1, verbose=0, train_split=None)
    net.fit(X.numpy(), Y.numpy())
    return [p.detach().clone() for p in net.module_.parameters()]


def fastai__learner() -> Given:
    import fastai.callback.progress  # noqa: F401 - gives learners no_bar
    from fastai.data.core import DataLoaders
    from fastai.learner import Learner

    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), batch_size=3)
    learner = Learner(DataLoaders(data, data), nn.Linear(4, 1), loss_func=F.mse_loss)
    with learner.no_bar(), learner.no_logging():
        learner.fit(1, 0.01)
    return [p.detach().clone() for p in learner.model.parameters()]


def ignite__trainer() -> Given:
    from ignite.engine import create_supervised_trainer

    model = mlp()
    trainer = create_supervised_trainer(model, torch.optim.SGD(model.parameters(), 0.1), F.mse_loss)
    trainer.run([(X, Y)], max_epochs=2)
    return [p.detach().clone() for p in model.parameters()]


def opacus__private() -> Given:
    from opacus import PrivacyEngine

    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), batch_size=6)
    model, optimizer, data = PrivacyEngine().make_private(
        module=model, optimizer=torch.optim.SGD(model.parameters(), 0.1), data_loader=data, noise_multiplier=1.0,
        max_grad_norm=1.0, poisson_sampling=False,
    )  # fmt: skip
    return step(model, X, optimizer=optimizer)


def tensordict__module() -> Given:
    from tensordict import TensorDict
    from tensordict.nn import TensorDictModule, TensorDictSequential

    model = TensorDictSequential(
        TensorDictModule(nn.Linear(4, 8), in_keys=["x"], out_keys=["h"]),
        TensorDictModule(nn.Linear(8, 1), in_keys=["h"], out_keys=["y"]),
    )
    return step(model, TensorDict({"x": X}, [6]), lambda out: F.mse_loss(out["y"], Y))


def torchrl__ppo() -> Given:
    from torchrl.modules import MLP
    from torchrl.objectives.value.functional import generalized_advantage_estimate

    model = MLP(in_features=4, out_features=1, num_cells=[8])
    done = torch.zeros(6, 1, dtype=torch.bool)

    def loss(value: Tensor) -> Tensor:
        advantage, _ = generalized_advantage_estimate(0.9, 0.9, value, value, Y, done, done)
        return advantage.square().mean()

    return step(model, X, loss)


def stable_baselines3__ppo() -> Given:
    import gymnasium as gym
    import numpy as np
    from stable_baselines3 import PPO

    class Line(gym.Env):  # type: ignore[misc]
        observation_space = gym.spaces.Box(-1, 1, (2,))
        action_space = gym.spaces.Discrete(2)

        def reset(self, *, seed: Any = None, options: Any = None) -> Any:
            self.at = 0
            return np.zeros(2, np.float32), {}

        def step(self, action: Any) -> Any:
            self.at += 1
            return np.full(2, self.at / 8, np.float32), float(action), self.at >= 8, False, {}

    model = PPO("MlpPolicy", Line(), n_steps=8, batch_size=8, n_epochs=1, device="cpu", seed=0)
    model.learn(8)
    return [p.detach().clone() for p in model.policy.parameters()]


def torchao__qat() -> Given:
    from torchao.quantization import quantize_
    from torchao.quantization.qat import IntxFakeQuantizeConfig, QATConfig

    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 2))
    config = IntxFakeQuantizeConfig(torch.int8, "per_channel")
    quantize_(model, QATConfig(weight_config=config, step="prepare"))
    return step(model, torch.randn(4, 8))


def torch_pruning__pruned() -> Given:
    import torch_pruning as tp

    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Conv2d(8, 2, 3))
    tp.DependencyGraph().build_dependency(model, torch.randn(1, 1, 8, 8))
    return step(model, torch.randn(2, 1, 8, 8))


def torchinfo__summary() -> Given:
    from torchinfo import summary

    model = mlp()
    summary(model, input_data=X, verbose=0)
    return step(model)


def torchmetrics__mse() -> Given:
    import torchmetrics

    return step(mlp(), X, lambda y: torchmetrics.MeanSquaredError()(y, Y))


def captum__attributed() -> Given:
    from captum.attr import DeepLift, IntegratedGradients

    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    x = X.clone().requires_grad_()
    return [
        IntegratedGradients(model).attribute(x, n_steps=4).detach(), DeepLift(model).attribute(x).detach(),
        *step(model),
    ]  # fmt: skip


def ema_pytorch__ema() -> Given:
    from ema_pytorch import EMA

    model = mlp()
    ema = EMA(model, beta=0.9, update_after_step=0, update_every=1)
    given = step(model)
    ema.update()
    return [*given, *(p.detach().clone() for p in ema.ema_model.parameters())]


def einops__rearranged() -> Given:
    from einops.layers.torch import Rearrange, Reduce

    return step(nn.Sequential(nn.Linear(4, 4), Rearrange("b (a c) -> b a c", a=2), Reduce("b a c -> b a", "mean")))


# Optimizers


def lion_pytorch__lion() -> Given:
    from lion_pytorch import Lion

    model = mlp()
    return step(model, optimizer=Lion(model.parameters(), lr=0.01))


def schedulefree__adamw() -> Given:
    from schedulefree import AdamWScheduleFree

    model = mlp()
    optimizer = AdamWScheduleFree(model.parameters(), lr=0.01)
    optimizer.train()
    return step(model, optimizer=optimizer)


def pytorch_optimizer__muon() -> Given:
    from pytorch_optimizer import SAM, AdaBelief

    model = mlp()
    optimizer = SAM(model.parameters(), AdaBelief, rho=0.05)
    F.mse_loss(model(X), Y).backward()
    optimizer.first_step(zero_grad=True)
    F.mse_loss(model(X), Y).backward()
    optimizer.second_step(zero_grad=True)
    return [p.detach().clone() for p in model.parameters()]


def torch_optimizer__radam() -> Given:
    from torch_optimizer import RAdam

    model = mlp()
    return step(model, optimizer=RAdam(model.parameters(), lr=0.01))


def geoopt__sphere() -> Given:
    import geoopt

    w = geoopt.ManifoldParameter(torch.ones(4) / 2, manifold=geoopt.Sphere())
    optimizer = geoopt.optim.RiemannianAdam([w], lr=0.1)
    given = grads((X @ w - Y[:, 0]).square().mean(), [w])
    optimizer.step()
    return [*given, w.detach().clone()]


# Probability, physics, other derivatives


def torch_geometric__convolutions() -> Given:
    from torch_geometric.nn import GATConv, GCNConv, SAGEConv, global_mean_pool

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.ModuleList([GCNConv(4, 8), GATConv(8, 4, heads=2), SAGEConv(8, 2)])

        def forward(self, x: Tensor) -> Tensor:
            for layer in self.layers:
                x = layer(x, EDGES).relu()
            return global_mean_pool(x, torch.zeros(6, dtype=torch.long))

    return step(Net())


def gpytorch__exact() -> Given:
    import gpytorch

    class Exact(gpytorch.models.ExactGP):  # type: ignore[misc]
        def __init__(self, likelihood: Any) -> None:
            super().__init__(X, Y[:, 0], likelihood)
            self.mean, self.kernel = (
                gpytorch.means.ConstantMean(),
                gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel()),
            )

        def forward(self, x: Tensor) -> Any:
            return gpytorch.distributions.MultivariateNormal(self.mean(x), self.kernel(x))

    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = Exact(likelihood)
    model.train()
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    return step(model, X, lambda out: -objective(out, Y[:, 0]))


def botorch__acquisition() -> Given:
    from botorch.acquisition import LogExpectedImprovement
    from botorch.models import SingleTaskGP

    model = SingleTaskGP(X.double(), Y.double())
    x = torch.zeros(1, 1, 4, dtype=torch.double, requires_grad=True)
    return grads(LogExpectedImprovement(model, best_f=0.5)(x).sum(), [x])


def pyro__svi() -> Given:
    import pyro
    from pyro.infer import SVI, Trace_ELBO

    def model() -> None:
        pyro.sample("x", pyro.distributions.Normal(pyro.sample("z", pyro.distributions.Normal(0.0, 1.0)), 1.0),
                    obs=torch.tensor(0.3))  # fmt: skip

    def guide() -> None:
        w = pyro.param("w", torch.tensor(0.1))
        pyro.sample("z", pyro.distributions.Normal(w, 1.0))

    pyro.clear_param_store()
    SVI(model, guide, pyro.optim.Adam({"lr": 0.01}), Trace_ELBO()).step()
    return [pyro.param("w").detach().clone()]


def zuko__flow() -> Given:
    import zuko

    return step(zuko.flows.NSF(4, transforms=1, hidden_features=(8,)), (), lambda flow: -flow.log_prob(X).mean())


def nflows__flow() -> Given:
    from nflows.distributions.normal import StandardNormal
    from nflows.flows.base import Flow
    from nflows.transforms import MaskedAffineAutoregressiveTransform

    model = Flow(MaskedAffineAutoregressiveTransform(features=4, hidden_features=8), StandardNormal([4]))
    return grads(-model.log_prob(X).mean(), model.parameters())


def normflows__flow() -> Given:
    import normflows

    layers = [normflows.flows.Planar((4,)), normflows.flows.Radial((4,))]
    model = normflows.NormalizingFlow(normflows.distributions.DiagGaussian(4), layers)
    return grads(-model.sample(8)[1].mean(), model.parameters())


def laplace__posterior() -> Given:
    from laplace import Laplace

    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X, Y), batch_size=6)
    found = Laplace(model, "regression", subset_of_weights="last_layer", hessian_structure="diag")
    found.fit(data)
    return [found.posterior_precision.detach(), *step(model)]


def bayesian_torch__linear() -> Given:
    from bayesian_torch.layers import LinearReparameterization

    return step(LinearReparameterization(4, 2), X, lambda out: out[0].square().mean() + out[1])


def torchjd__jacobian() -> Given:
    from torchjd.aggregation import Mean
    from torchjd.autojac import backward

    model = mlp()
    out = model(X)
    losses = [out.square().mean(), (out - 1).abs().mean()]
    backward(losses)
    jacobians = [p.jac for p in model.parameters() if hasattr(p, "jac")]
    return [Mean()(torch.cat([j.flatten(1) for j in jacobians], 1)), *jacobians]


def backpack__extended() -> Given:
    from backpack import backpack, extend
    from backpack.extensions import BatchGrad, DiagGGNExact

    model = extend(nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)))
    with backpack(BatchGrad(), DiagGGNExact()):
        extend(nn.MSELoss())(model(X), Y).backward()
    return [x for p in model.parameters() for x in (p.grad, p.grad_batch, p.diag_ggn_exact)]


def curvlinops__hessian() -> Given:
    from curvlinops import HessianLinearOperator

    model = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    operator = HessianLinearOperator(model, nn.MSELoss(), list(model.parameters()), [(X, Y)])
    return [operator @ torch.ones(operator.shape[1])]


def higher__maml() -> Given:
    import higher

    model = mlp()
    with higher.innerloop_ctx(model, torch.optim.SGD(model.parameters(), 0.1), copy_initial_weights=False) as (
        inner,
        optimizer,
    ):
        optimizer.step(inner(X).square().sum())
        return grads(inner(X).square().sum(), model.parameters())


def torchopt__maml() -> Given:
    import torchopt

    model = mlp()
    optimizer = torchopt.MetaSGD(model, lr=0.1)
    start = torchopt.extract_state_dict(model, by="reference")
    optimizer.step(F.mse_loss(model(X), Y))
    given = grads(F.mse_loss(model(X), Y), model.parameters())
    torchopt.recover_state_dict(model, start)
    return given


def torchdiffeq__adjoint() -> Given:
    from torchdiffeq import odeint_adjoint

    field = nn.Linear(4, 4)
    out = odeint_adjoint(lambda _, y: field(y), X, torch.tensor([0.0, 1.0]), adjoint_params=tuple(field.parameters()))
    return grads(out.sum(), field.parameters())


def torchsde__adjoint() -> Given:
    import torchsde

    class Field(nn.Module):
        noise_type, sde_type = "diagonal", "ito"

        def __init__(self) -> None:
            super().__init__()
            self.drift, self.diffusion = nn.Linear(4, 4), nn.Linear(4, 4)

        def f(self, _: Tensor, y: Tensor) -> Tensor:
            return self.drift(y)

        def g(self, _: Tensor, y: Tensor) -> Tensor:
            return self.diffusion(y).sigmoid()

    field = Field()
    times = torch.tensor([0.0, 0.1])
    noise = torchsde.BrownianInterval(0.0, 0.1, size=(6, 4), entropy=1, levy_area_approximation="space-time")
    return grads(torchsde.sdeint_adjoint(field, X, times, dt=0.05, bm=noise).sum(), field.parameters())


def torchcde__controlled() -> Given:
    import torchcde

    x = torch.randn(2, 5, 3)
    path = torchcde.CubicSpline(torchcde.natural_cubic_coeffs(x))
    field = nn.Linear(4, 12)
    out = torchcde.cdeint(
        path, lambda _, z: field(z).tanh().view(2, 4, 3), torch.zeros(2, 4), path.interval, adjoint=False, method="rk4",
        options={"step_size": 1.0},
    )  # fmt: skip
    return grads(out.square().sum(), field.parameters())


def e3nn__equivariant() -> Given:
    from e3nn import o3

    class Product(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tp = o3.FullyConnectedTensorProduct("2x0e+1x1o", "1x0e+1x1o", "2x0e+1x1o")

        def forward(self, x: Tensor) -> Tensor:
            return self.tp(x, o3.spherical_harmonics("0e+1o", x[:, 2:], True))

    return step(Product(), torch.randn(3, 5))


def neuralop__fno() -> Given:
    from neuralop.models import FNO

    return step(
        FNO(n_modes=(2, 2), hidden_channels=4, in_channels=1, out_channels=1, n_layers=1), torch.randn(1, 1, 8, 8)
    )


def tensorly__decomposed() -> Given:
    import tensorly
    from tensorly.random import random_cp

    tensorly.set_backend("pytorch")
    factors = [f.clone().requires_grad_() for f in random_cp((3, 4, 2), rank=2, random_state=0).factors]
    return grads(tensorly.cp_to_tensor((None, factors)).square().sum(), factors)


def cvxpylayers__layer() -> Given:
    import cvxpy
    from cvxpylayers.torch import CvxpyLayer

    x, a = cvxpy.Variable(2), cvxpy.Parameter(2)
    layer = CvxpyLayer(cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x - a)), [x >= 0]), parameters=[a], variables=[x])
    given = torch.tensor([1.0, -1.0], dtype=torch.double, requires_grad=True)
    (out,) = layer(given)
    return grads(out.sum(), [given])


def kornia__augmented() -> Given:
    import kornia

    image = leaf(1, 1, 8, 8)
    blurred = kornia.filters.gaussian_blur2d(image, (3, 3), (1.0, 1.0))
    turned = kornia.geometry.transform.rotate(blurred, torch.tensor([30.0]))
    return grads(kornia.losses.ssim_loss(turned, torch.rand(1, 1, 8, 8), 3), [image])


def piq__metrics() -> Given:
    import piq

    x, y = torch.rand(1, 3, 32, 32, requires_grad=True), torch.rand(1, 3, 32, 32)
    return grads(1 - piq.ssim(x, y, kernel_size=5) + piq.TVLoss()(x), [x])


def lpips__perceptual() -> Given:
    import lpips

    x, y = leaf(1, 3, 32, 32), torch.randn(1, 3, 32, 32)
    model = lpips.LPIPS(net="squeeze", pretrained=False, pnet_rand=True, verbose=False)
    return grads(model(x, y).sum(), [x])


def pytorch_metric_learning__triplet() -> Given:
    from pytorch_metric_learning import losses, miners

    labels = torch.tensor([0, 0, 1, 1, 2, 2])
    loss, miner = losses.TripletMarginLoss(), miners.MultiSimilarityMiner()
    return step(nn.Linear(4, 3), X, lambda y: loss(y, labels, miner(y, labels)))


def pytorch_wavelets__dwt() -> Given:
    from pytorch_wavelets import DWTForward

    x = leaf(1, 1, 8, 8)
    low, high = DWTForward(J=1, wave="haar")(x)
    return grads(low.square().sum() + high[0].abs().sum(), [x])


def complexPyTorch__conv() -> Given:  # noqa: N802 - as the package is called
    from complexPyTorch.complexFunctions import complex_relu
    from complexPyTorch.complexLayers import ComplexBatchNorm2d, ComplexConv2d

    model = nn.Sequential(ComplexConv2d(1, 2, 3), ComplexBatchNorm2d(2))
    return step(model, torch.randn(2, 1, 8, 8, dtype=torch.cfloat), lambda y: complex_relu(y).abs().square().mean())


def entmax__sparse() -> Given:
    import entmax

    x = X.clone().requires_grad_()
    return grads((entmax.entmax15(x, dim=1) + entmax.sparsemax(x, dim=1)).square().sum(), [x])


def snntorch__leaky() -> Given:
    import snntorch

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc, self.lif = nn.Linear(4, 8), snntorch.Leaky(beta=0.9)

        def forward(self, x: Tensor) -> Tensor:
            memory, total = self.lif.init_leaky(), torch.zeros(6, 8)
            for _ in range(3):
                spikes, memory = self.lif(self.fc(x), memory)
                total = total + spikes + memory
            return total

    return step(Net())


def spikingjelly__lif() -> Given:
    from spikingjelly.activation_based import functional, layer, neuron

    model = nn.Sequential(layer.Linear(4, 8), neuron.LIFNode(), layer.Linear(8, 1))
    given = step(model)
    functional.reset_net(model)
    return given


def norse__lif() -> Given:
    from norse.torch.module.lif import LIFFeedForwardCell

    layer, cell = nn.Linear(4, 8), LIFFeedForwardCell()
    spikes, state = cell(layer(X))
    spikes, state = cell(layer(X), state)
    return grads(spikes.mean() + state.v.square().mean(), layer.parameters())


def deepxde__fnn() -> Given:
    import os

    os.environ["DDE_BACKEND"] = "pytorch"
    import deepxde

    model = deepxde.nn.FNN([4, 8, 1], "tanh", "Glorot normal")
    x = X.clone().requires_grad_()
    y = model(x)
    return grads(
        (deepxde.grad.jacobian(y, x, j=0) + deepxde.grad.hessian(y, x, i=0, j=0)).square().mean() + y.square().mean(),
        model.parameters(),
    )


def pytorch_tabnet__classifier() -> Given:
    from pytorch_tabnet.tab_network import TabNetNoEmbeddings

    model = TabNetNoEmbeddings(4, 2, n_d=4, n_a=4, n_steps=1, virtual_batch_size=6)
    return step(model, X, lambda out: out[0].square().mean() - 0.001 * out[1])


def facenet_pytorch__inception() -> Given:
    from facenet_pytorch.models.inception_resnet_v1 import Block35

    return step(Block35(), torch.randn(1, 256, 4, 4))


LIBRARIES: list[Callable[[], Given]] = [
    value for name, value in dict(globals()).items() if "__" in name.strip("_") and not name.startswith("_")
]
