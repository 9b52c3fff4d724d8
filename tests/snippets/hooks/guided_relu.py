# Guided backpropagation: a backward hook on ReLU keeps only positive gradients
import torch
import torch.nn as nn

torch.manual_seed(4)
model = nn.Sequential(nn.Linear(5, 6), nn.ReLU(), nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 1))

def guided(module, grad_in, grad_out):
    return (torch.clamp(grad_in[0], min=0.0),)

x = torch.randn(1, 5, requires_grad=True)
model(x).backward()
plain = x.grad.clone()
handles = [m.register_full_backward_hook(guided) for m in model if isinstance(m, nn.ReLU)]
x.grad = None
model(x).backward()
print("plain ", plain)
print("guided", x.grad)
print(len(handles), "hooks")
for h in handles:
    h.remove()
