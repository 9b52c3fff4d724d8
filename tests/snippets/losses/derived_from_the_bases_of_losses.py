# Losses derived from _Loss and _WeightedLoss, and questions about other base classes
import torch
import torch.nn.modules.module as M
from torch import nn
from torch.nn.modules.module import Module, register_module_forward_hook
from torch.nn.modules import Linear
from torch.nn.modules.linear import Linear as L2
from torch.nn.modules.loss import _Loss, MSELoss, _WeightedLoss
from torch.nn.modules.batchnorm import _BatchNorm
print(Linear is L2, isinstance(nn.BatchNorm1d(2), nn.modules.batchnorm._BatchNorm), issubclass(nn.Conv2d, nn.modules.conv._ConvNd))
class RMSELoss(_Loss):
    __constants__ = ["reduction"]
    def __init__(self, eps=1e-6, reduction="mean"):
        super().__init__(None, None, reduction)
        self.eps = eps
    def forward(self, a, b):
        return torch.sqrt(nn.functional.mse_loss(a, b, reduction=self.reduction) + self.eps)
x = torch.tensor([1., 2.], requires_grad=True)
l = RMSELoss()(x, torch.zeros(2)); l.backward(); print(l, x.grad, RMSELoss())
class W(_WeightedLoss):
    def forward(self, a, b): return (self.weight * (a - b) ** 2).sum()
w = W(weight=torch.tensor([1., 3.])); print(w, dict(w.named_buffers()), w(x, torch.ones(2)))
print(_BatchNorm, _Loss.__mro__[1])
