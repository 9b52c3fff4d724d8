# Forward hooks: look at activations
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
activation = {}

def get_activation(name):
    def hook(module, inputs, output):
        activation[name] = output.detach()
    return hook

handles = [layer.register_forward_hook(get_activation(str(i))) for i, layer in enumerate(net)]
x = torch.ones(2, 4)
net(x)
for name, value in activation.items():
    print(name, tuple(value.shape), f"mean {value.mean():.4f}", f"zeros {(value == 0).sum().item()}")
for h in handles:
    h.remove()
activation.clear()
net(x)
print(activation)
