# A dataclass as configuration
from dataclasses import dataclass, field, asdict
import torch

@dataclass
class Config:
    lr: float = 0.1
    steps: int = 3
    start: list = field(default_factory=lambda: [1.0, -1.0])
    name: str = "run"

    @property
    def title(self):
        return f"{self.name}@{self.lr}"

cfg = Config(steps=4)
print(cfg, cfg.title)
print(asdict(cfg), cfg == Config(steps=4), cfg == Config())
w = torch.tensor(cfg.start, requires_grad=True)
for i in range(cfg.steps):
    loss = (w ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= cfg.lr * w.grad
        w.grad = None
    print(f"{i:>3d} {loss.item():<10.5f}|{w[0].item():+.2e}|")
