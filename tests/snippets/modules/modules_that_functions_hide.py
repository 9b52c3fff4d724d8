# torch.nn.utils.spectral_norm is a module, which a function of the same name hides
import torch
import torch.nn.utils.spectral_norm
from torch.nn.utils.spectral_norm import SpectralNorm, spectral_norm
from torch.nn.utils.weight_norm import WeightNorm, remove_weight_norm

torch.manual_seed(0)
layer = spectral_norm(torch.nn.Linear(3, 2))
layer(torch.ones(1, 3)).sum().backward()
print(torch.nn.utils.spectral_norm is spectral_norm, SpectralNorm.__name__, WeightNorm.__name__)
print([name for name, _ in layer.named_parameters()], layer.weight_orig.grad)
