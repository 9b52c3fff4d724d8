# Power iteration as in spectral normalisation
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)

class SN(nn.Module):
    def __init__(self, module, n_power_iterations=2, eps=1e-12):
        super(SN, self).__init__()
        self.module = module
        self.n = n_power_iterations
        self.eps = eps
        w = module.weight
        self.register_buffer('u', F.normalize(torch.randn(w.shape[0]), dim=0, eps=eps))
        self.register_buffer('v', F.normalize(torch.randn(w.shape[1]), dim=0, eps=eps))

    def sigma(self):
        w = self.module.weight
        with torch.no_grad():
            for _ in range(self.n):
                self.v = F.normalize(torch.mv(w.t(), self.u), dim=0, eps=self.eps)
                self.u = F.normalize(torch.mv(w, self.v), dim=0, eps=self.eps, out=self.u)
        u = self.u.clone(memory_format=torch.contiguous_format)
        return torch.dot(u, torch.mv(w, self.v))

    def forward(self, x):
        return F.linear(x, self.module.weight / self.sigma(), self.module.bias)

    def extra_repr(self):
        return 'n={}, eps={}'.format(self.n, self.eps)

net = nn.Sequential(SN(nn.Linear(4, 3)), nn.LeakyReLU(0.2, inplace=True), SN(nn.Linear(3, 1)))
print(net)
x = torch.randn(5, 4)
y = net(x)
print(y.shape, y.grad_fn)
y.mean().backward()
for n, p in net.named_parameters():
    print(n, tuple(p.shape), p.grad.norm().item() > 0)
s = torch.linalg.svdvals(net[0].module.weight.detach())
print(s)
for _ in range(10):
    net[0].sigma()
print(abs(net[0].sigma().item() - s[0].item()) < 1e-3)
print([n for n, _ in net.named_buffers()])
