# backward with a graph built inside hooks, backward inside backward, grad inside forward, recursion of engines
import torch
x = torch.tensor(2., requires_grad=True); log = []
class Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        with torch.enable_grad(): w = v.detach().requires_grad_(); y = w ** 3; ctx.g, = torch.autograd.grad(y, w)
        return y.detach()
    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            t = torch.tensor(1., requires_grad=True); (t * 5).backward(); log.append(t.grad.item())
        return g * ctx.g
y = Inner.apply(x); y.backward(); print(x.grad, log); x.grad = None
z = x * x; z.register_hook(lambda g: g + torch.autograd.grad((x.detach().requires_grad_() ** 2), x, allow_unused=True)[0] if False else g * 2); z.backward(); print(x.grad); x.grad = None
@torch.enable_grad()
def again(g): w = torch.tensor(4., requires_grad=True); return torch.autograd.grad(w ** 2, w)[0] * g
a = x * 3; a.register_hook(again); a.backward(); print(x.grad); x.grad = None
def energy(v): return (v ** 2).sum() / 2
def force(v): return -torch.autograd.grad(energy(v), v, create_graph=True)[0]
p = torch.tensor([1., 2.], requires_grad=True); (force(p) * torch.tensor([1., 3.])).sum().backward(); print(p.grad)
q = torch.tensor(1., requires_grad=True); r = q
for _ in range(3): r = torch.autograd.grad(torch.exp(r * 2) if r is q else r ** 2, q, create_graph=True)[0]
print(r)
