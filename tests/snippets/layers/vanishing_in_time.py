# Gradient of the last hidden state with respect to each input step
import torch
import torch.nn as nn

torch.manual_seed(0)
rnn = nn.RNN(1, 8)
x = torch.randn(10, 1, 1, requires_grad=True)
out, h = rnn(x)
out[-1].sum().backward()
for t, g in enumerate(x.grad.flatten().abs()):
    print(f"t={t}: {g.item():.6f}", "#" * int(30 * g / x.grad.abs().max()))
