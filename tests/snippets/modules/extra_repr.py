# A custom layer with extra_repr, reset_parameters and a buffer
import torch
import torch.nn as nn
import math

class NoisyLinear(nn.Module):
    def __init__(self, in_features, out_features, sigma=0.017):
        super().__init__()
        self.in_features, self.out_features, self.sigma = in_features, out_features, sigma
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.register_parameter("bias", None)
        self.register_buffer("noise", torch.zeros(out_features, in_features), persistent=False)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.uniform_(self.weight, -1 / math.sqrt(self.in_features), 1 / math.sqrt(self.in_features))

    def forward(self, x):
        self.noise.normal_()
        return nn.functional.linear(x, self.weight + self.sigma * self.noise)

    def extra_repr(self):
        return f"in_features={self.in_features}, out_features={self.out_features}, sigma={self.sigma}"

torch.manual_seed(5)
layer = NoisyLinear(3, 2)
print(layer, nn.Sequential(layer, nn.ReLU()), sep="\n")
out = layer(torch.ones(3))
out.sum().backward()
print(out, layer.weight.grad, list(layer.state_dict()), layer.bias)
