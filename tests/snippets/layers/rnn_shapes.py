# RNN, GRU and LSTM: what comes out
import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.randn(2, 5, 3)
for cls in (nn.RNN, nn.GRU, nn.LSTM):
    net = cls(input_size=3, hidden_size=4, num_layers=1, batch_first=True)
    out, hidden = net(x)
    h = hidden[0] if isinstance(hidden, tuple) else hidden
    print(net)
    print(tuple(out.shape), tuple(h.shape), torch.allclose(out[:, -1], h[-1], atol=1e-6))
    print({n: tuple(p.shape) for n, p in net.named_parameters()})
    out.sum().backward()
    print(f"{net.weight_ih_l0.grad.norm():.4f} {net.bias_hh_l0.grad.norm():.4f}")
