# Entries along another dimension than the first: ops of one tensor leave it where it is, others move it to the front
import torch
import torch.nn.functional as F
from torch import vmap

x = torch.tensor([[0.2, 0.4, 0.6], [0.3, 0.5, 0.7]], requires_grad=True)


def chain(t):
    def go(node):
        if node is None:
            return '-'
        edges = [go(edge[0]) for edge in node.next_functions]
        return node.name().split('::')[-1] + ('(' + ', '.join(edges) + ')' if edges else '')

    return go(t.grad_fn)


def show(name, f):
    for out in (0, 1):
        y = vmap(f, 1, out)(x)
        print(name, out, y.stride(), chain(y))
        if y.requires_grad:
            print('  ', torch.autograd.grad(y.sum(), x)[0].tolist())


for name in 'neg reciprocal sqrt abs sign relu exp log logit sigmoid sin tanh floor frac erf lgamma i0 isnan clone'.split():
    show(name, getattr(torch, name))
for name in 'elu gelu silu softplus logsigmoid hardshrink leaky_relu hardtanh tanhshrink softsign'.split():
    show(name, getattr(F, name))
show('add', lambda a: a + 1)
show('rsub', lambda a: 1 - a)
show('mul', lambda a: a * 2)
show('div', lambda a: a / 2)
show('remainder', lambda a: a % 2)
show('power', lambda a: a**2)
show('to the power', lambda a: 2**a)
show('copysign', lambda a: torch.copysign(a, -1))
show('double', lambda a: a.double())
show('clamp', lambda a: a.clamp(0.3, 0.6))
show('round', lambda a: torch.round(a, decimals=2))
show('xlogy', lambda a: torch.xlogy(a, 2))
show('xlogy of a number', lambda a: torch.xlogy(2, a))
show('polygamma', lambda a: torch.polygamma(1, a))
show('frexp', lambda a: torch.frexp(a)[0])
show('two', lambda a: a.exp() * a.sin())
show('chain', lambda a: a.exp().sin().cumsum(0))
show('written', lambda a: a.sin().neg_().mul_(2))
show('twice', lambda a: vmap(lambda b: b.exp())(a.sin()))
