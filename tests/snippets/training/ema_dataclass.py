# Exponential moving average of a model, configured by a dataclass
from __future__ import annotations
import copy
from dataclasses import dataclass, field, asdict, replace
from typing import List, Optional

import torch
from torch import nn, Tensor
import torch.nn.functional as F


@dataclass(frozen=True)
class Config:
    dim: int = 3
    decay: float = 0.9
    lrs: List[float] = field(default_factory=lambda: [0.1, 0.05])
    name: Optional[str] = None

    @property
    def label(self) -> str:
        return f"{self.name or 'ema'}@{self.decay:.2f}"


class EMA(nn.Module):
    def __init__(self, model: nn.Module, decay: float) -> None:
        super().__init__()
        self.module = copy.deepcopy(model)
        self.module.eval()
        self.module.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        for e, m in zip(self.module.state_dict().values(), model.state_dict().values()):
            e.copy_(self.decay * e + (1.0 - self.decay) * m)

    def forward(self, x: Tensor) -> Tensor:
        return self.module(x)


def main() -> None:
    cfg = Config(name="demo")
    print(cfg)
    print(asdict(cfg), cfg.label)
    print(replace(cfg, dim=4).dim)
    try:
        cfg.dim = 7
    except Exception as e:
        print(type(e).__name__, e)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(cfg.dim, 2), nn.BatchNorm1d(2), nn.Tanh())
    ema = EMA(model, cfg.decay)
    print(ema)
    x, y = torch.randn(8, cfg.dim), torch.randn(8, 2)
    for lr in cfg.lrs:
        opt = torch.optim.SGD(model.parameters(), lr=lr)
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        ema.update(model)
        print(f"lr={lr:<6} loss={loss.item():.5f}")
    for (n, p), (n2, q) in zip(model.named_parameters(), ema.module.named_parameters()):
        print(f"{n:>10s} | {n2:>10s} | {(p - q).abs().max().item():.5f} | {q.requires_grad} {q.grad}")
    print(list(dict(ema.named_buffers())))
    print(ema.module[1].running_mean, ema.module[1].num_batches_tracked)
    out = ema(x)
    print(out.requires_grad, out.grad_fn)


if __name__ == "__main__":
    main()
