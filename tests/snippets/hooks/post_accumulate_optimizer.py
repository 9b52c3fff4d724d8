# The optimizer inside backward: step and free each gradient as soon as it is there
import torch
import torch.nn as nn

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizers = {p: torch.optim.SGD([p], lr=0.1) for p in model.parameters()}
order = []

def hook(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()
    order.append(tuple(parameter.shape))

for p in model.parameters():
    p.register_post_accumulate_grad_hook(hook)

x, y = torch.randn(8, 3), torch.randn(8, 1)
for epoch in range(3):
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    print(f"epoch {epoch}: loss {loss.item():.4f}, all grads None: {all(p.grad is None for p in model.parameters())}")
print(order[:4])
