# How large are the gradients of each layer? sigmoid against relu
import torch
import torch.nn as nn

def report(act):
    torch.manual_seed(0)
    layers = []
    for _ in range(6):
        layers += [nn.Linear(8, 8), act()]
    net = nn.Sequential(*layers, nn.Linear(8, 1))
    net(torch.randn(16, 8)).pow(2).mean().backward()
    return {n: p.grad.norm().item() for n, p in net.named_parameters() if n.endswith("weight")}

for act in (nn.Sigmoid, nn.ReLU, nn.Tanh):
    norms = report(act)
    print(act.__name__)
    for name, norm in norms.items():
        print(f"  {name:<10} {norm:.3e}")
