# BatchNorm in training and evaluation
import torch
import torch.nn as nn

bn = nn.BatchNorm1d(2, momentum=0.5)
x = torch.tensor([[1.0, 10.0], [2.0, 20.0], [3.0, 60.0]], requires_grad=True)
y = bn(x)
print(y)
print("mean", y.mean(0).detach().abs().max().item() < 1e-6, "std", y.std(0, unbiased=False).detach())
print(bn.running_mean, bn.running_var, bn.num_batches_tracked)
y[:, 1].pow(2).sum().backward()
print(bn.weight.grad, bn.bias.grad)
bn.eval()
print(bn(x))
print(list(bn.state_dict()))
print(nn.BatchNorm2d(3, affine=False, track_running_stats=False))
