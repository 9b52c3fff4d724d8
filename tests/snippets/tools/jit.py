# torch.jit: nothing is compiled, what is traced or scripted runs as it is written
import torch
import torch.nn as nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    @torch.jit.ignore
    def twice(self, x):
        return x + x

    def forward(self, x):
        y = self.fc(x) if torch.jit.is_scripting() else self.twice(self.fc(x))
        return y.relu()


net = Net()
traced = torch.jit.trace(net, torch.ones(1, 2))
print(isinstance(traced, nn.Module), traced(torch.ones(3, 2)), list(traced.state_dict()))
traced(torch.ones(1, 2)).sum().backward()
print(net.fc.weight.grad)
double = torch.jit.trace(lambda a: a * 2, torch.ones(2))
print(double(torch.ones(1)))


@torch.jit.ignore(drop=False)
def unseen(x):
    return x + 1


print(unseen(1), torch.jit.unused(unseen) is unseen, torch.jit.annotate(int, 3), torch.jit.is_tracing())
for wrong in (
    lambda: torch.jit.trace(net),
    lambda: torch.jit.script(3),
    lambda: torch.jit.freeze(torch.jit.script(nn.ReLU())),
):
    try:
        wrong()
    except (TypeError, RuntimeError) as error:
        print(type(error).__name__, error)
