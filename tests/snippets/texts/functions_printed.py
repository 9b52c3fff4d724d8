# Functions of PyTorch that are printed
import torch
import torch.nn.functional as F

x = torch.linspace(-1, 1, 3, requires_grad=True)
for activation in (torch.relu, torch.tanh, torch.sigmoid, F.relu, F.gelu, F.softplus, F.logsigmoid, F.leaky_relu, F.elu):
    y = activation(x)
    print(f"{activation}: {torch.autograd.grad(y.sum(), x)[0]}")
print({"mse": F.mse_loss, "linear": F.linear, "conv": F.conv2d, "pad": F.interpolate}, [torch.dot, torch.einsum])
print(torch.norm, torch.matmul, torch.tensor, torch.zeros, torch.manual_seed, torch.cdist, torch.meshgrid)
print(torch.linalg.inv, torch.linalg.norm, torch.fft.rfft, torch.special.erf, F.one_hot, F.cosine_similarity)
print(torch.autograd.grad, torch.vmap, torch.func.jacrev, torch.nn.init.zeros_, torch.is_tensor, torch.from_numpy)
