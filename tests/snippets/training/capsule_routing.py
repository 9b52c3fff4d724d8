# Dynamic routing between capsules with detached agreement, squash, margin loss
import torch
import torch.nn as nn
import torch.nn.functional as F

def squash(s, dim=-1, eps=1e-8):
    n2 = (s ** 2).sum(dim, keepdim=True)
    return n2 / (1 + n2) * s / torch.sqrt(n2 + eps)

class Caps(nn.Module):
    def __init__(self, n_in, d_in, n_out, d_out, iters=3):
        super().__init__()
        self.W = nn.Parameter(0.5 * torch.randn(1, n_out, n_in, d_out, d_in))
        self.iters = iters

    def forward(self, u):
        u_hat = (self.W @ u[:, None, :, :, None]).squeeze(-1)
        frozen = u_hat.detach()
        b = u_hat.new_zeros(u_hat.shape[:3] + (1,))
        for r in range(self.iters):
            c = b.softmax(dim=1)
            if r < self.iters - 1:
                v = squash((c * frozen).sum(dim=2, keepdim=True))
                b = b + (frozen * v).sum(-1, keepdim=True)
            else:
                v = squash((c * u_hat).sum(dim=2))
        return v, c

torch.manual_seed(0)
caps = Caps(4, 3, 2, 5)
u = squash(torch.randn(2, 4, 3))
u.requires_grad_()
v, c = caps(u)
lengths = v.norm(dim=-1)
print(v.shape, lengths, c.requires_grad, v.requires_grad, v.grad_fn.name())
T = F.one_hot(torch.tensor([0, 1]), 2)
loss = (T * F.relu(0.9 - lengths) ** 2 + 0.5 * (1 - T) * F.relu(lengths - 0.1) ** 2).sum(1).mean()
loss.backward()
print(loss, caps.W.grad.norm(), u.grad[0])
print(c[0, :, :, 0].sum(0))
