# Training with quantization in view: rounded and clamped forward, straight through backward.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.linspace(-2, 2, 9, requires_grad=True)
y = torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 15)
print(y, y.grad_fn.name())
y.sum().backward()
print(x.grad)
print(torch.fake_quantize_per_tensor_affine(x, torch.tensor(0.1), torch.tensor(3), 0, 15))
print(torch.fake_quantize_per_tensor_affine(x.detach().double(), 0.3, 0, -4, 3))

w = torch.randn(2, 3, requires_grad=True)
scales = w.detach().abs().amax(1) / 7
zeros = torch.zeros(2, dtype=torch.int32)
q = torch.fake_quantize_per_channel_affine(w, scales, zeros, 0, -8, 7)
print(q)
(g,) = torch.autograd.grad((q**2).sum(), w, create_graph=True)
print(g)
print(torch.fake_quantize_per_channel_affine(w, scales, torch.tensor([0.4, 1.5]), 0, -8, 7))


class QuantLinear(nn.Linear):
    def forward(self, x):
        scale = self.weight.detach().abs().max() / 127
        weight = torch.fake_quantize_per_tensor_affine(self.weight, scale.item(), 0, -128, 127)
        return F.linear(x, weight, self.bias)


model = nn.Sequential(QuantLinear(4, 8), nn.ReLU(), QuantLinear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
inputs, targets = torch.randn(16, 4), torch.randn(16, 1)
for step in range(3):
    optimizer.zero_grad()
    loss = F.mse_loss(model(inputs), targets)
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")

for wrong in (
    lambda: torch.fake_quantize_per_tensor_affine(x, 0.1, 30, 0, 15),
    lambda: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 15, 0),
    lambda: torch.fake_quantize_per_tensor_affine(x, 0.1, 3.0, 0, 15),
    lambda: torch.fake_quantize_per_channel_affine(w, scales, zeros.long(), 0, -8, 7),
):
    try:
        wrong()
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)
