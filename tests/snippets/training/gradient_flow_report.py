# Vanishing and exploding gradients with depth, activations and initialisations, as a table
import torch
import torch.nn as nn
from itertools import product

def deep(depth, act, init):
    layers = []
    for _ in range(depth):
        l = nn.Linear(8, 8)
        if init == "xavier": nn.init.xavier_uniform_(l.weight)
        elif init == "kaiming": nn.init.kaiming_normal_(l.weight, nonlinearity="relu")
        elif init == "orthogonal": nn.init.orthogonal_(l.weight)
        elif init == "large": nn.init.normal_(l.weight, std=1.0)
        nn.init.zeros_(l.bias)
        layers += [l, act()]
    return nn.Sequential(*layers)

print(f"{'act':<10}{'init':<12}{'first':>12}{'last':>12}{'ratio':>12}")
for act, init in product((nn.Sigmoid, nn.Tanh, nn.ReLU, nn.SELU), ("xavier", "kaiming", "orthogonal", "large")):
    torch.manual_seed(0)
    net = deep(6, act, init)
    x = torch.randn(16, 8)
    net(x).pow(2).mean().backward()
    first, last = net[0].weight.grad.norm().item(), net[-2].weight.grad.norm().item()
    print(f"{act.__name__:<10}{init:<12}{first:>12.3e}{last:>12.3e}{first / last:>12.3f}")
torch.manual_seed(1)
net = deep(4, nn.ReLU, "kaiming")
acts = []
for m in net:
    if isinstance(m, nn.ReLU):
        m.register_forward_hook(lambda m, i, o: acts.append(((o == 0).float().mean().item(), o.std().item())))
y = net(torch.randn(32, 8))
for k, (dead, std) in enumerate(acts):
    print(f"layer {k}: dead {dead:.2%} std {std:.4f}")
stats = {n: (p.grad is None, p.std().item()) for n, p in net.named_parameters() if p.dim() > 1}
print({k: (a, round(b, 4)) for k, (a, b) in stats.items()})
g = nn.init.calculate_gain("leaky_relu", 0.2)
print(g, nn.init.calculate_gain("tanh"), nn.init.calculate_gain("selu"))
t = torch.empty(2, 3)
for fn in (nn.init.ones_, nn.init.eye_, lambda t: nn.init.constant_(t, 0.5), lambda t: nn.init.uniform_(t, -1, 1), lambda t: nn.init.trunc_normal_(t, std=0.1), lambda t: nn.init.sparse_(t, 0.5)):
    print(fn(t))
try:
    nn.init.xavier_uniform_(torch.empty(3))
except ValueError as e:
    print(e)
