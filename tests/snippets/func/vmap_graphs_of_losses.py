# Graphs of what is mapped: each of the ops that PyTorch runs for a batch, and the chain of nodes it leaves
import torch
import torch.nn.functional as F
from torch import vmap

torch.manual_seed(0)
x = torch.randn(3, 4, requires_grad=True)
y = torch.randn(3, 4, requires_grad=True)
w = torch.randn(4, 5, requires_grad=True)
s = torch.randn(3, requires_grad=True)


def chain(t):
    parts = []

    def go(node, depth):
        if node is None or depth > 6:
            return
        name = type(node).__name__
        parts.append("A" if name == "AccumulateGrad" else name)
        if name != "AccumulateGrad":
            parts.append("(")
            for edge in node.next_functions:
                go(edge[0], depth + 1)
            parts.append(")")

    go(t.grad_fn, 0)
    return " ".join(parts)


def show(name, f, *args, **options):
    r = vmap(f, **options)(*args)
    r = r if isinstance(r, torch.Tensor) else r[0]
    print(name, tuple(r.shape), chain(r))


show('dot unb2', lambda a: torch.ones(4) @ a, x)
show('dot w', lambda a: w[:, 0] @ a, x)
show('idxput', lambda a, i: (lambda z: (z.__setitem__(i, a[:1]), z)[1])(a * 1), x, torch.tensor([[0], [1], [2]]))
show('idxput unb', lambda a: (lambda z: (z.__setitem__(torch.tensor([0, 1]), a[:2]), z)[1])(a * 1), x)
show('idxput mask', lambda a: (lambda z: (z.__setitem__(torch.tensor([True, False, True, False]), 0.0), z)[1])(a * 1), x)
show('idxput 2', lambda a, i: (lambda z: (z.__setitem__((slice(None), i), 0.0), z)[1])(a.view(2, 2) * 1), x, torch.tensor([[0], [1], [1]]))
show('index_put', lambda a, i: a.index_put((i,), torch.ones(1)), x, torch.tensor([[0], [1], [2]]))
show('index_put acc', lambda a, i: a.index_put((i,), torch.ones(1), accumulate=True), x, torch.tensor([[0], [1], [2]]))
show('ce w none', lambda a, t: F.cross_entropy(a.view(2, 2), t, weight=torch.ones(2), reduction='none'), x, torch.tensor([[0, 1], [1, 1], [0, 0]]))
show('bce wt', lambda a, b: F.binary_cross_entropy_with_logits(a, b, weight=torch.ones(4)), x, torch.ones(3, 4))
show('bce none', lambda a, b: F.binary_cross_entropy_with_logits(a, b, reduction='none'), x, torch.ones(3, 4))
show('bn w', lambda a: F.batch_norm(a, None, None, torch.ones(2), torch.ones(2), training=True), torch.randn(3, 2, 2, requires_grad=True))
show('cat0', lambda a: torch.cat([a]), x)
show('take_along', lambda a: a.take_along_dim(torch.tensor([0, 1]), 0), x)
show('index_add', lambda a: torch.zeros_like(a).index_add(0, torch.tensor([0, 1]), a[:2]), x)
show('scatter_add', lambda a, i: torch.zeros_like(a).scatter_add(0, i, a), x, torch.tensor([[0], [1], [2]]))
show('bmm unb', lambda a: torch.bmm(a.view(1, 2, 2), torch.ones(1, 2, 2)), x)
show('addbmm', lambda a: torch.addbmm(torch.zeros(2, 2), a.view(1, 2, 2), a.view(1, 2, 2)), x)
show('trapz', lambda a: torch.trapz(a), x)
show('cov', lambda a: torch.cov(a.view(2, 2)), x)
show('hinge', lambda a: F.hinge_embedding_loss(a, torch.ones(4)), x)
show('cosemb', lambda a, b: F.cosine_embedding_loss(a[None], b[None], torch.ones(1)), x, y)
show('poisson', lambda a: F.poisson_nll_loss(a, torch.ones(4)), x)
show('gauss', lambda a, b: F.gaussian_nll_loss(a, b, torch.ones(4)), x, y)
show('mlsm', lambda a: F.multilabel_soft_margin_loss(a, torch.ones(4)), x)
show('nuc', lambda a: torch.linalg.matrix_norm(a.view(2, 2), 'nuc'), x)
show('normalize', lambda a: F.normalize(a, dim=0), x)
show('pairwise', lambda a, b: F.pairwise_distance(a, b), x, y)
show('unfold', lambda a: a.unfold(0, 2, 1), x)
show('im2col', lambda a: F.unfold(a.view(1, 1, 2, 2), 1), x)
show('pixshuf', lambda a: F.pixel_shuffle(a.view(1, 4, 1, 1), 2), x)
show('upb', lambda a: F.interpolate(a.view(1, 1, 2, 2), scale_factor=2, mode='bilinear'), x)
show('circ', lambda a: F.pad(a.view(1, 1, 4), (1, 1), mode='circular'), x)
show('instn', lambda a: F.instance_norm(a.view(1, 2, 2)), x)
show('rms', lambda a: F.rms_norm(a, (4,)), x)
show('lrn', lambda a: F.local_response_norm(a.view(1, 2, 2), 2), x)
show('gelut', lambda a: F.gelu(a, approximate='tanh'), x)
show('softmaxt', lambda a: F.softmax(a, -1, dtype=torch.float64), x)
show('erf', torch.erf, x)
show('lgamma', lambda a: torch.lgamma(a.abs()), x)
show('hypot', torch.hypot, x, y)
show('fmod', lambda a: a % 2, x)
show('floor', lambda a: a // 2, x)
show('bool', lambda a: a.bool(), x)
show('long', lambda a: a.long(), x)
show('type', lambda a: a.to(torch.float16), x)
show('round', lambda a: a.round(), x)
show('sign', lambda a: a.sign(), x)
show('logical', lambda a: (a > 0) & (a < 1), x)
show('bucket', lambda a: torch.bucketize(a, torch.arange(4.0)), x)
show('one_hot', lambda i: F.one_hot(i, 5), torch.tensor([0, 1, 2]))
show('eye', lambda a: torch.eye(2) * a[0], x)
show('arange', lambda a: torch.arange(4) * a, x)
show('full', lambda a: torch.full((2,), 1.0) * a[0], x)
show('new_full', lambda a: a.new_full((2,), 3.0), x)
show('new_ones', lambda a: a.new_ones(2), x)
show('full_like', lambda a: torch.full_like(a, 2.0), x)
show('empty_like', lambda a: torch.empty_like(a).fill_(1), x)
show('tensor', lambda a: torch.tensor(2.0) * a, x)
show('complex', lambda a: torch.complex(a, a).abs(), x)
show('polar', lambda a: torch.view_as_real(torch.polar(a.abs(), a)), x)
show('conj', lambda a: torch.complex(a, a).conj().real, x)
show('cumprod', lambda a: a.cumprod(0), x)
show('diff', lambda a: a.diff(), x)
show('tile', lambda a: a.tile(2), x)
show('ri', lambda a: a.repeat_interleave(2), x)
show('rot', lambda a: a.view(2, 2).rot90(), x)
show('ravel', lambda a: a.view(2, 2).ravel(), x)
show('swap', lambda a: a.view(2, 2).swapaxes(0, 1), x)
show('mT', lambda a: a.view(2, 2).mT, x)
show('at2', lambda a: torch.atleast_2d(a), x)
show('meshgrid', lambda a: torch.meshgrid(a, a, indexing='ij')[0], x)
show('cartesian', lambda a: torch.cartesian_prod(a, a), x)
show('tensor_split', lambda a: a.tensor_split(2)[0], x)
show('dsplit', lambda a: a.hsplit(2)[1], x)
show('chain_matmul', lambda a: torch.linalg.multi_dot([a.view(2, 2)] * 3), x)
show('mpow', lambda a: torch.matrix_power(a.view(2, 2), 3), x)
show('msum', lambda a: a.view(2, 2).sum((0, 1)), x)
show('nansum', lambda a: a.nansum(), x)
show('aminmax', lambda a: a.aminmax()[0], x)
show('cummax', lambda a: a.cummax(0)[0], x)
show('mode', lambda a: a.mode()[0], x)
