# VQ-VAE style straight-through quantiser, STE binarisation
import torch
import torch.nn as nn
import torch.nn.functional as F

class VectorQuantizer(nn.Module):
    def __init__(self, K, D, beta=0.25):
        super().__init__()
        self.embedding = nn.Embedding(K, D)
        self.embedding.weight.data.uniform_(-1 / K, 1 / K)
        self.beta = beta

    def forward(self, z):
        flat = z.reshape(-1, self.embedding.embedding_dim)
        d = flat.pow(2).sum(1, keepdim=True) + self.embedding.weight.pow(2).sum(1) - 2 * flat @ self.embedding.weight.t()
        idx = d.argmin(1)
        one_hot = F.one_hot(idx, self.embedding.num_embeddings).to(z.dtype)
        q = (one_hot @ self.embedding.weight).view_as(z)
        loss = F.mse_loss(q, z.detach()) + self.beta * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        p = one_hot.mean(0)
        perplexity = torch.exp(-(p * (p + 1e-10).log()).sum())
        return q, loss, perplexity, idx

torch.manual_seed(0)
vq = VectorQuantizer(4, 2)
z = torch.randn(2, 3, 2, requires_grad=True)
q, loss, ppl, idx = vq(z)
print(idx, ppl)
total = (q * torch.arange(12.).view(2, 3, 2)).sum() + loss
total.backward()
print(z.grad)
print(vq.embedding.weight.grad)

class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * (x.abs() <= 1).type_as(g)

w = torch.tensor([-2.0, -0.5, 0.0, 0.3, 1.5], requires_grad=True)
b = Sign.apply(w)
print(b, b.grad_fn)
(b * 3).sum().backward()
print(w.grad)
r = torch.round(w)
r.sum().backward()
print(w.grad, r.grad_fn.name())
