# In which order the elements of a result lie: elementwise ops follow the first operand, sums are contiguous
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.rand(3, 4, requires_grad=True)
y = torch.rand(4, 3)
t = x.t()
p = torch.rand(2, 3, 4).permute(1, 2, 0)

def show(name, r):
    print(f"{name:<14}{str(tuple(r.shape)):<14}{str(r.stride()):<14}{r.is_contiguous()}")

for name, r in {
    "t + y": t + y, "y + t": y + t, "t * 2": t * 2, "t > y": t > y, "where": torch.where(t > y, t, y),
    "sigmoid": t.sigmoid(), "silu": F.silu(t), "softplus": F.softplus(t), "logsigmoid": F.logsigmoid(t),
    "softmax": t.softmax(1), "log_softmax": t.log_softmax(0), "layer_norm": F.layer_norm(t, (3,)),
    "sum": p.sum(0), "mean": p.mean(-1), "amax": p.amax(0), "var": p.var(0), "cummax": t.cummax(0)[0],
    "stack": torch.stack([t, t]), "cat": torch.cat([t, t]), "gather": t.gather(0, torch.zeros(4, 3, dtype=torch.long)),
    "masked_fill": t.masked_fill(t > 0.5, 0), "sort": t.sort(0)[0], "flip": t.flip(0), "tril": p.tril(),
    "rand_like": torch.rand_like(t), "randn_like": torch.randn_like(t), "complex": torch.complex(t, y),
}.items():
    show(name, r)
print(torch.rand_like(t))
print(torch.randn_like(p)[0])
print(torch.randint_like(t, 10))
print(t.detach().clone().uniform_())
# what is contiguous can be viewed, the rest must be reshaped, which copies
v = p.sum(0).view(-1)
s = torch.stack([t, t]).view(2, 12)
print(v.shape, s.grad_fn, (t + y).reshape(-1).grad_fn, t.softmax(0).reshape(-1).grad_fn)
try:
    (t * y).view(-1)
except RuntimeError as e:
    print(e)
s.pow(2).sum().backward()
print(x.grad)
# the sum over a dimension of one element is a copy
one = torch.tensor([[1.0, 2.0]])
total = one.sum(0)
total.mul_(10)
print(one, total)
# images with their channels last in memory keep them there
img = torch.rand(1, 4, 4, 3).permute(0, 3, 1, 2)
c = torch.nn.Conv2d(3, 2, 3)
h = F.max_pool2d(F.relu(c(img)), 2)
show("conv", c(img))
try:
    h.view(1, -1)
    print("view", h.view(1, -1).shape)
    c(img).view(1, -1)
except RuntimeError as e:
    print(e)
u = torch.tensor([2.0, 1.0, 2.0], requires_grad=True).unique()
print(u)
try:
    u.sum().backward()
except NotImplementedError as e:
    print(e)
