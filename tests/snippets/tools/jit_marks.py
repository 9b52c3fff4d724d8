# Models that say what a compiler should leave alone run as they are written, and ask whether one is at work
import torch
from torch import jit, nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    @torch.jit.ignore
    def total(self, x):
        return x.sum().item()

    @torch.jit.unused
    def other(self, x):
        return x

    @jit.export
    def more(self, x):
        return self.linear(x)

    def forward(self, x):
        if torch.jit.is_scripting():
            return x
        if not jit.is_tracing():
            x = x * 2
        return self.other(self.linear(x))


@torch.jit.ignore()
def clipped(x):
    return x.clamp(max=1)


@torch.jit.script_if_tracing
def shifted(x: torch.Tensor):
    return x + 1


torch.manual_seed(0)
model = Scaled()
out = model(torch.ones(1, 2))
out.sum().backward()
print(out, model.linear.weight.grad, model.total(torch.ones(3)), model.more(torch.ones(1, 2)).shape)
print(clipped(torch.tensor(3.0)), shifted(torch.ones(1)), jit.annotate(int, 3))
print(torch.jit.is_scripting())
