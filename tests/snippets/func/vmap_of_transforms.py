# vmap around, inside and beside the other transforms, of layers, and of random numbers
import torch, torch.nn as nn, torch.nn.functional as F
from torch.func import vmap, grad, vjp, jvp, jacrev, jacfwd, hessian, functional_call, stack_module_state, grad_and_value
torch.manual_seed(0)
def t(name, f):
    try:
        r = f()
        r = r if isinstance(r, tuple) else (r,)
        print(name, *[(tuple(x.shape), [round(float(v), 4) for v in x.detach().double().flatten()[:6]], x.requires_grad, type(x.grad_fn).__name__) for x in r if isinstance(x, torch.Tensor)])
    except Exception as e:
        print(name, type(e).__name__, str(e)[:300])
x = torch.randn(3, 4)
y = torch.randn(3, 4)
W = torch.randn(5, 4)
xr = x.clone().requires_grad_()
t('vv', lambda: vmap(vmap(lambda a, b: a * b))(x, y))
t('vv2', lambda: vmap(lambda a: vmap(lambda b: a @ W.T * b.sum())(y))(x))
t('vv3', lambda: vmap(vmap(lambda a, b: a * b, in_dims=(0, None)), in_dims=(None, 0))(torch.ones(2), torch.arange(3.0)))
t('outer', lambda: vmap(lambda a: vmap(lambda b: a + b)(torch.arange(4.0)))(torch.arange(3.0)))
t('kernel', lambda: vmap(lambda a: vmap(lambda b: torch.exp(-(a - b).pow(2).sum()))(y))(x))
t('kernel grad', lambda: torch.autograd.grad(vmap(lambda a: vmap(lambda b: torch.exp(-(a - b).pow(2).sum()))(y))(xr).sum(), xr)[0])
t('vg', lambda: vmap(grad(lambda a: a.sin().sum()))(x))
t('vgg', lambda: vmap(grad(grad(lambda a: a.sin())))(torch.arange(3.0)))
t('vgv', lambda: vmap(grad(lambda a: vmap(lambda b: b * b)(a).sum()))(x))
t('gv', lambda: grad(lambda a: vmap(lambda b: (b * b).sum())(a).sum())(x))
t('gvg', lambda: grad(lambda a: vmap(grad(lambda b: (b ** 3).sum()))(a).sum())(x))
t('vjacrev', lambda: vmap(jacrev(lambda a: a.sin()))(x))
t('vhess2', lambda: vmap(hessian(lambda a, w: (w @ a).tanh().sum()), in_dims=(0, None))(x, W))
t('vjvp', lambda: vmap(lambda a, v: jvp(torch.sin, (a,), (v,))[1])(x, y))
t('vjvp2', lambda: vmap(lambda v: jvp(torch.sin, (x[0],), (v,))[1])(y))
t('vvjp', lambda: vmap(lambda a, v: vjp(torch.sin, a)[1](v)[0])(x, y))
t('vvjp2', lambda: (lambda f: vmap(f[1])(torch.eye(4)))(vjp(lambda a: a.sin(), x[0])))
t('gav', lambda: vmap(grad_and_value(lambda a: (a * a).sum()))(x))
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
P = dict(net.named_parameters())
D = {k: v.detach() for k, v in P.items()}
T = torch.tensor([0, 2, 1])
def loss(p, a, tt):
    return F.cross_entropy(functional_call(net, p, (a.unsqueeze(0),)), tt.unsqueeze(0))
t('persample', lambda: tuple(vmap(grad(loss), in_dims=(None, 0, 0))(D, x, T).values()))
t('persample second', lambda: torch.autograd.grad(sum((g.pow(2).sum() for g in vmap(grad(loss), in_dims=(None, 0, 0))(P, x, T).values())), list(P.values())))
def loss1(p, a, tt):
    return F.cross_entropy(functional_call(net, p, (a,)), tt)
t('persample1', lambda: tuple(vmap(grad(loss1), in_dims=(None, 0, 0))(D, x, T).values()))
cnn = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 3))
img = torch.randn(3, 1, 6, 6)
C = {k: v.detach() for k, v in cnn.named_parameters()}
t('cnn persample', lambda: tuple(vmap(grad(lambda p, a, tt: F.cross_entropy(functional_call(cnn, p, (a.unsqueeze(0),)), tt.unsqueeze(0))), in_dims=(None, 0, 0))(C, img, T).values()))
nets = [nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 1)) for _ in range(3)]
pp, bb = stack_module_state(nets)
t('ensemble', lambda: vmap(lambda p, b, a: functional_call(nets[0], (p, b), (a,)), in_dims=(0, 0, None))(pp, bb, x))
t('ensemble0', lambda: vmap(lambda p, b, a: functional_call(nets[0], (p, b), (a,)), in_dims=(0, 0, 0))(pp, bb, x))
emb = nn.Embedding(7, 3)
E = {k: v.detach() for k, v in emb.named_parameters()}
t('emb persample', lambda: tuple(vmap(grad(lambda p, i: functional_call(emb, p, (i,)).pow(2).sum()), in_dims=(None, 0))(E, torch.tensor([[0, 1], [2, 2], [3, 4]])).values()))
ln = nn.LayerNorm(4)
L = {k: v.detach() for k, v in ln.named_parameters()}
t('ln persample', lambda: tuple(vmap(grad(lambda p, a: functional_call(ln, p, (a,)).pow(3).sum()), in_dims=(None, 0))(L, x).values()))
mha = nn.MultiheadAttention(4, 2, batch_first=True)
M = {k: v.detach() for k, v in mha.named_parameters()}
t('mha', lambda: vmap(lambda a: mha(a, a, a)[0])(torch.randn(3, 2, 4)))
gru = nn.GRUCell(4, 3)
G = {k: v.detach() for k, v in gru.named_parameters()}
t('batched jac', lambda: vmap(lambda v: torch.autograd.grad((xr * xr).sum(1), xr, v)[0])(torch.eye(3)))
t('newton', lambda: vmap(lambda a: torch.linalg.solve(hessian(lambda b: (b ** 4).sum() + b.pow(2).sum())(a), grad(lambda b: (b ** 4).sum() + b.pow(2).sum())(a)))(x))
t('laplacian', lambda: vmap(lambda a: torch.trace(hessian(lambda b: b.sin().prod())(a)))(x))
t('where', lambda: vmap(lambda a: torch.where(a.sum() > 0, a, -a))(xr))
t('odd scalar', lambda: vmap(lambda a, b: a * b + 1)(torch.arange(3), torch.arange(3.0)))
t('int*float', lambda: vmap(lambda a: a * torch.ones(2, dtype=torch.float64))(torch.arange(3.0)))
t('promo', lambda: vmap(lambda a: a * torch.tensor(2.5, dtype=torch.float64))(x))
t('promo2', lambda: vmap(lambda a, b: a.sum() * b)(x, torch.arange(3)))
t('promo3', lambda: vmap(lambda a, b: a.sum().double() * b)(x, y))
t('chunk', lambda: vmap(lambda a: a * 2, chunk_size=2)(xr))
t('kw', lambda: vmap(lambda a, *, b=2: a * b)(x, b=3))
t('dict', lambda: vmap(lambda d: d['a'] * d['b'])({'a': x, 'b': y}))
t('dict out', lambda: tuple(vmap(lambda a: {'s': a.sum(), 'm': a.max()})(x).values()))
t('neg dims', lambda: vmap(lambda a: a.sum(), in_dims=-1)(x))
t('outdims', lambda: vmap(lambda a: (a, a * 2), out_dims=(0, 1))(x))
t('outdims-1', lambda: vmap(lambda a: a[:, None] * a, out_dims=-1)(x))
t('empty', lambda: vmap(lambda a: a.sum())(torch.zeros(0, 3)))
t('minmax', lambda: vmap(lambda a: (a.max(0).values, a.argmax(), a.min(0)[1]))(x))
t('sorted', lambda: vmap(lambda a: a.sort(descending=True))(x))
t('loop', lambda: vmap(lambda a: sum((a[i] * i for i in range(4))))(xr))
def lp(a):
    s = torch.zeros_like(a[0])
    for v in a:
        s = s + v * v
    return s
t('loop2', lambda: vmap(lp)(xr))
def inp(a):
    out = torch.zeros_like(a)
    out[0] = a[1]
    out[1:] += a[:3] * 2
    return out
t('inplace', lambda: vmap(inp)(xr))
def powit(A):
    v = torch.ones(A.shape[0])
    for _ in range(3):
        v = A @ v
        v = v / v.norm()
    return v
t('powit', lambda: vmap(powit)(torch.randn(2, 3, 3)))
t('cumsum', lambda: vmap(lambda a: a.cumsum(0).flip(0))(xr))
t('einsum', lambda: vmap(lambda a, b: torch.einsum('i,j->ij', a, b))(x, y))
t('softmax ce', lambda: vmap(lambda l, t_: -F.log_softmax(l, 0)[t_])(xr, T))
t('take item', lambda: vmap(lambda l, t_: l[t_])(xr, T))
t('gather', lambda: vmap(lambda l, t_: l.gather(0, t_[None]))(xr, T))
t('idx2', lambda: vmap(lambda i: W[i])(T))
t('idx3', lambda: vmap(lambda l, i: l.view(2, 2)[i, i])(xr, torch.tensor([0, 1, 0])))
t('idx4', lambda: vmap(lambda l, i: l.view(2, 2)[:, i])(xr, torch.tensor([[0, 1], [1, 1], [0, 0]])))
t('norm', lambda: vmap(lambda a: a / a.norm())(xr))
t('std', lambda: vmap(lambda a: (a - a.mean()) / a.std())(xr))
t('dropout eval', lambda: vmap(lambda a: F.dropout(a, 0.5, training=False))(x))
t('bn eval', lambda: vmap(nn.BatchNorm1d(4).eval())(x[None].repeat(2, 1, 1)))
t('bn train', lambda: vmap(nn.BatchNorm1d(4))(x[None].repeat(2, 1, 1)))
t('bn notrack', lambda: vmap(nn.BatchNorm1d(4, track_running_stats=False))(torch.randn(2, 3, 4)))
torch.manual_seed(1)
t('drop diff', lambda: vmap(lambda a: F.dropout(a, 0.5), randomness='different')(torch.ones(3, 20)))
t('drop same', lambda: vmap(lambda a: F.dropout(a, 0.5), randomness='same')(torch.ones(3, 20)))
t('randn diff', lambda: vmap(lambda a: a + torch.randn(20), randomness='different')(torch.ones(3, 20)))
t('randn same', lambda: vmap(lambda a: a + torch.randn(20), randomness='same')(torch.ones(3, 20)))
t('randn_like', lambda: vmap(lambda a: torch.randn_like(a), randomness='different')(torch.ones(3, 20)))
t('rand', lambda: vmap(lambda a: a * torch.rand(()), randomness='different')(torch.ones(3)))
t('normal_', lambda: vmap(lambda a: a.clone().normal_(), randomness='different')(torch.ones(3, 20)))
t('normal_ same', lambda: vmap(lambda a: a.clone().normal_(), randomness='same')(torch.ones(3, 20)))
t('bern', lambda: vmap(lambda a: torch.bernoulli(a), randomness='different')(torch.full((3, 20), 0.5)))
t('bern same', lambda: vmap(lambda a: torch.bernoulli(a), randomness='same')(torch.full((3, 20), 0.5)))
t('after', lambda: torch.randn(2))
