# ruff: noqa: E501 - calls are easier to read on one line
"""The programs of `tests.attack.memory`: each asks for as much memory as it can have, forward and backward."""

from __future__ import annotations

import re

SETUP: dict[str, str] = {
    "p": "p = torch.ones(5_999_993, requires_grad=True)",
    "P": "P = torch.ones(20_000_003, requires_grad=True)",
    "d": "d = torch.ones(5_999_993, dtype=torch.double, requires_grad=True)",
    "z": "z = torch.ones(5_999_993, dtype=torch.cdouble, requires_grad=True)",
    "n": "n = torch.arange(5_999_993)",
    "h": "h = torch.ones(5_999_993, dtype=torch.half, requires_grad=True)",
    "b": "b = torch.ones(5_999_993, dtype=torch.bfloat16, requires_grad=True)",
    "u": "u = torch.ones(5_999_993, dtype=torch.uint8)",
    "m": "m = torch.ones(2449, 2449, requires_grad=True)",
    "md": "md = torch.rand(2449, 2449, dtype=torch.double, requires_grad=True)",
    "mz": "mz = torch.ones(2449, 2449, dtype=torch.cdouble, requires_grad=True)",
    "sq": "sq = (torch.rand(1000, 1000, dtype=torch.double) + 1000 * torch.eye(1000)).requires_grad_()",
    "sz": "sz = (torch.rand(700, 700, dtype=torch.cdouble) + 700 * torch.eye(700)).requires_grad_()",
    "c": "c = torch.ones(181, 181, 181, requires_grad=True)",
    "cd": "cd = torch.ones(181, 181, 181, dtype=torch.double, requires_grad=True)",
    "im": "im = torch.ones(1, 3, 1400, 1400, requires_grad=True)",
    "w": "w = torch.ones(3, 3, 11, 11, requires_grad=True)",
    "imd": "imd = torch.ones(1, 3, 1400, 1400, dtype=torch.double, requires_grad=True)",
    "wd": "wd = torch.ones(1, 3, 3, 3, dtype=torch.double, requires_grad=True)",
    "v1": "v1 = torch.ones(1, 1, 5_900_000, requires_grad=True)",
    "a": "a = np.ones(5_999_993)",
    "am": "am = np.ones((2449, 2449))",
    "az": "az = np.ones(5_999_993, dtype=complex)",
}  # fmt: skip
"""Name → the statement that makes it: large tensors and arrays, of lengths that have large prime factors. Of P there is room for three."""

CALLS = """
P * P + P
P.softmax(0)
P.double()
P ** 2.5
P.detach().numpy() * 2.5
P[P > 0]
(P > 0).nonzero()
P.unique()
P.tolist()[:0]
torch.sort(P).values
torch.cumsum(P, 0)
torch.fft.fft(P)
torch.where(P > 0, P, -P)
torch.cat([P[:9], P])
F.conv1d(P[None, None], torch.ones(1, 1, 9))
F.max_pool1d(P[None], 5, 1)
F.layer_norm(P, P.shape)
torch.fft.fft(z)
torch.fft.fft(p)
torch.fft.fft(d)
torch.fft.rfft(d)
torch.fft.irfft(z)
torch.fft.hfft(z)
torch.fft.fft2(mz)
torch.fft.fft2(m)
torch.fft.fftn(c)
torch.fft.ifft(z)
torch.fft.fftshift(z)
torch.stft(p, 1024, return_complex=True)
torch.sort(p).values
torch.sort(d).values
torch.sort(n).values
torch.sort(m, dim=0).values
torch.sort(d, stable=True, descending=True).values
torch.argsort(d)
torch.topk(p, 5_000_000).values
torch.topk(d, 5_000_000).values
torch.kthvalue(d, 3_000_000).values
torch.median(d)
torch.median(m, dim=0).values
torch.quantile(d, 0.5)
torch.quantile(md, 0.5, dim=0)
torch.nanquantile(d, 0.5)
torch.mode(n).values
torch.unique(d, return_inverse=True, return_counts=True)[0]
torch.unique(n, return_inverse=True, return_counts=True)[0]
torch.unique(m, dim=0)
torch.unique_consecutive(d, return_inverse=True, return_counts=True)[0]
torch.cumsum(d, 0)
torch.cumsum(m, 0)
torch.cumprod(d, 0)
torch.cumprod(md, 0)
torch.cummax(d, 0).values
torch.cummin(md, 1).values
torch.logcumsumexp(d, 0)
torch.logsumexp(md, 0)
torch.softmax(md, 0)
torch.log_softmax(md, 1)
F.softmin(m, 1)
F.gelu(d)
F.silu(d)
F.mish(d)
F.softplus(d)
F.elu(d)
F.selu(d)
F.celu(d)
F.hardswish(d)
F.rrelu(d, training=True)
F.prelu(m, torch.ones(2449))
F.dropout(d)
F.layer_norm(md, (2449,))
F.batch_norm(md, None, None, training=True)
F.group_norm(im, 3)
F.instance_norm(im)
F.local_response_norm(im, 5)
F.normalize(md)
F.mse_loss(d, torch.zeros(5_999_993, dtype=torch.double))
F.smooth_l1_loss(d, torch.zeros(5_999_993, dtype=torch.double))
F.huber_loss(d, torch.zeros(5_999_993, dtype=torch.double))
F.kl_div(d, torch.zeros(5_999_993, dtype=torch.double))
F.binary_cross_entropy_with_logits(d, torch.zeros(5_999_993, dtype=torch.double))
F.cross_entropy(m, torch.zeros(2449, dtype=torch.long))
F.cross_entropy(md, torch.rand(2449, 2449, dtype=torch.double))
F.cosine_similarity(md, md)
F.pairwise_distance(md, md)
F.conv2d(im, w)
F.conv2d(imd, wd)
F.conv2d(im, torch.ones(3, 1, 5, 5), groups=3)
F.conv_transpose2d(im, w)
F.conv1d(v1, torch.ones(1, 1, 9))
F.conv1d(v1, torch.ones(1, 1, 101))
F.conv3d(c[None, None], torch.ones(1, 1, 3, 3, 3))
F.unfold(torch.ones(1, 1, 800, 800, requires_grad=True), 3)
F.fold(torch.ones(1, 9, 640000, requires_grad=True), (802, 802), 3)
F.max_pool2d(im, 3, 1)
F.max_pool1d(v1, 5, 1)
F.max_pool3d(c[None, None], 3, 1)
F.avg_pool2d(im, 5, 1)
F.avg_pool3d(c[None, None], 3, 1)
F.lp_pool2d(im, 2, 3)
F.adaptive_avg_pool2d(im, 7)
F.adaptive_max_pool2d(im, 700)
F.fractional_max_pool2d(im, 3, output_size=500)
F.interpolate(im, scale_factor=0.9, mode='bilinear')
F.interpolate(im, scale_factor=0.9, mode='bicubic')
F.interpolate(im, scale_factor=0.9, mode='nearest')
F.grid_sample(im, torch.zeros(1, 1000, 1000, 2))
F.affine_grid(torch.eye(2, 3, requires_grad=True)[None], (1, 1, 1700, 1700))
F.pad(im, (10, 10, 10, 10), mode='reflect')
F.pad(m, (5, 5))
F.pixel_shuffle(torch.ones(1, 9, 800, 800, requires_grad=True), 3)
F.one_hot(torch.arange(2400))
F.embedding(torch.zeros(60000, dtype=torch.long), torch.ones(1000, 100, requires_grad=True))
F.embedding_bag(torch.zeros(600, 100, dtype=torch.long), torch.ones(1000, 100, requires_grad=True))
F.scaled_dot_product_attention(torch.ones(1, 2400, 64, requires_grad=True), torch.ones(1, 2400, 64), torch.ones(1, 2400, 64))
F.ctc_loss(torch.ones(1000, 50, 100, requires_grad=True).log_softmax(2), torch.ones(50, 100, dtype=torch.long), torch.full((50,), 1000), torch.full((50,), 100))
nn.LSTM(64, 256)(torch.ones(400, 16, 64, requires_grad=True))[0]
nn.GRU(64, 256)(torch.ones(400, 16, 64, requires_grad=True))[0]
nn.RNN(64, 256)(torch.ones(400, 16, 64, requires_grad=True))[0]
nn.MultiheadAttention(64, 4)(torch.ones(1200, 1, 64, requires_grad=True), torch.ones(1200, 1, 64), torch.ones(1200, 1, 64))[0]
nn.TransformerEncoderLayer(64, 4)(torch.ones(1000, 1, 64, requires_grad=True))
nn.Linear(2449, 2449)(m)
torch.einsum('ij,jk->ik', m, m)
torch.einsum('ij,ij->', md, md)
torch.einsum('ij,kj->ik', md, md)
torch.einsum('ij->ji', mz)
torch.einsum('ijk,ijl->kl', c, c)
torch.einsum('ijk,kji->ij', cd, cd)
torch.tensordot(c, c, dims=([0, 1], [1, 0]))
torch.bmm(c, c)
torch.matmul(c, c.transpose(1, 2))
torch.matmul(n[:5_000_000].view(1000, 5000), n[:5_000].view(5000, 1))
m @ m
md @ md
mz[:1000, :1000] @ mz[:1000, :1000]
h[:4_000_000].view(2000, 2000) @ h[:4_000].view(2000, 2)
torch.baddbmm(c, c, c)
torch.addmm(md, md, md)
torch.outer(torch.ones(2449, requires_grad=True), torch.ones(2449))
torch.kron(torch.ones(49, 49, requires_grad=True), torch.ones(49, 49))
torch.cdist(torch.ones(2449, 8, requires_grad=True), torch.ones(2449, 8))
F.pdist(torch.rand(3000, 8, requires_grad=True))
torch.cov(torch.ones(2400, 2000, requires_grad=True))
torch.corrcoef(torch.rand(2400, 2000, requires_grad=True))
torch.linalg.inv(sq)
torch.linalg.solve(sq, sq)
torch.linalg.det(sq)
torch.linalg.slogdet(sq)[1]
torch.linalg.qr(sq)[0]
torch.linalg.svd(torch.rand(700, 700, dtype=torch.double, requires_grad=True))[1]
torch.linalg.svdvals(md)
torch.linalg.eigh(sq)[0]
torch.linalg.eigvals(torch.rand(500, 500, dtype=torch.double, requires_grad=True)).abs()
torch.linalg.cholesky(sq @ sq.T)
torch.linalg.lu(sq)[1]
torch.linalg.lstsq(torch.rand(2000, 500, dtype=torch.double), torch.rand(2000, 500, dtype=torch.double))[0]
torch.linalg.pinv(torch.rand(600, 600, dtype=torch.double, requires_grad=True))
torch.linalg.matrix_exp(torch.rand(600, 600, dtype=torch.double, requires_grad=True))
torch.matrix_exp(torch.zeros(1000, 6, 6, requires_grad=True))
torch.linalg.matrix_power(sq, 5)
torch.linalg.norm(md, 2)
torch.linalg.vector_norm(d, 3)
torch.linalg.cond(sq)
torch.linalg.inv(torch.eye(6).repeat(160_000, 1, 1).requires_grad_())
torch.linalg.svd(torch.rand(100_000, 6, 6, requires_grad=True))[1]
torch.linalg.eigh(torch.eye(6).repeat(160_000, 1, 1).requires_grad_())[0]
torch.linalg.solve_triangular(sq, sq, upper=True)
torch.triu(md)
torch.tril(m)
torch.diag_embed(torch.ones(2449, requires_grad=True))
torch.block_diag(md[:1200, :1200], md[:1200, :1200])
torch.where(d > 0, d, -d)
torch.clamp(d, 0, 1)
torch.masked_select(d, d > 0)
d[d > 0]
d[n]
m[n[:2449]]
p.gather(0, n)
p.index_select(0, n)
p.take(n)
torch.take_along_dim(p, n, 0)
p.scatter(0, n, 1.0)
p.scatter_add(0, n, p)
d.scatter_reduce(0, n, d, 'amax')
p.index_add(0, n, p)
p.index_put((n,), p)
p.index_fill(0, n, 2.0)
p.masked_fill(p > 0, 2.0)
torch.nonzero(p)
torch.argwhere(m)
torch.bincount(n[:3_000_000])
torch.histc(d, 1000)
torch.bucketize(d, torch.linspace(0, 1, 1000, dtype=torch.double))
torch.searchsorted(torch.linspace(0, 1, 1000, dtype=torch.double), d)
torch.repeat_interleave(p[:3_000_000], 2)
p[:3_000_000].repeat(2)
torch.roll(d, 5)
torch.flip(d, (0,))
torch.rot90(md)
torch.cat([d[:3_000_000], d[:2_999_993]])
torch.stack([p[:3_000_000], p[:3_000_000]])
torch.meshgrid(torch.ones(2449), torch.ones(2449))[0].clone()
torch.cartesian_prod(torch.ones(1700, requires_grad=True), torch.ones(1700))
torch.combinations(torch.ones(2400, requires_grad=True))
torch.vander(torch.ones(2449, requires_grad=True), 2449)
torch.diff(d)
torch.gradient(d)[0]
torch.trapezoid(d)
torch.cross(md[:, :3], md[:, :3])
torch.var(md, 0)
torch.std(d)
torch.var_mean(md, 1)[0]
torch.norm(d)
torch.dist(d, d * 2)
torch.renorm(md, 2, 0, 1.0)
torch.prod(d)
torch.prod(md, 0)
torch.amax(md, 0)
torch.aminmax(d)[0]
torch.max(md, 0)[0]
torch.nansum(d)
torch.count_nonzero(d)
d ** 2.5
d ** d
torch.pow(2.0, d)
torch.atan2(d, d)
torch.hypot(d, d)
torch.fmod(d, 3.0)
torch.remainder(d, d)
torch.lerp(d, d, d)
torch.addcmul(d, d, d)
torch.addcdiv(d, d, d)
torch.lgamma(d)
torch.digamma(d)
torch.polygamma(2, d)
torch.erfinv(d / 2)
torch.special.i0(d)
torch.special.zeta(d + 1, d)
torch.special.gammainc(d, d)
torch.special.ndtri(d / 2)
torch.special.bessel_j0(d)
torch.sinc(d)
torch.nan_to_num(d)
torch.frexp(d)[0]
torch.abs(z)
torch.angle(z)
z * z + z
z.conj().resolve_conj()
torch.view_as_real(z)
torch.polar(d, d)
torch.complex(d, d)
torch.exp(z)
z ** 2.5
z.real + z.imag
d.to(torch.half)
d.to(torch.cdouble)
h * h
h.sum()
b + b
b.cumsum(0)
b.sort().values
h ** 2.5
torch.exp(b)
n.float()
n * n
n // 3
n % 7
n ** 2
u * 3
(u > 0) & (u < 3)
torch.bitwise_xor(n, n)
torch.rand(5_999_993)
torch.randn(5_999_993, dtype=torch.cdouble)
torch.randperm(5_999_993)
torch.normal(d, d)
torch.bernoulli(d)
torch.multinomial(p[:1_000_000], 500_000)
torch.poisson(d)
torch.distributions.Gamma(d, d).rsample()
torch.distributions.Beta(d, d).rsample()
torch.distributions.Dirichlet(m).rsample()
torch.distributions.StudentT(d).rsample()
torch.distributions.MultivariateNormal(torch.zeros(1000, dtype=torch.double), sq).rsample((1000,))
torch.nn.init.orthogonal_(torch.empty(1500, 1500))
torch.nn.init.trunc_normal_(torch.empty(5_999_993))
torch.vmap(lambda t: t * 2)(m)
torch.vmap(torch.sort)(m)[0]
torch.func.grad(lambda t: (t ** 3).sum())(d)
torch.func.hessian(lambda t: (t ** 3).sum())(torch.ones(100))
torch.func.jacrev(lambda t: t * 2)(torch.ones(1500))
torch.autograd.functional.jacobian(lambda t: t * 2, torch.ones(1500))
torch.func.jvp(lambda t: t ** 3, (d.detach(),), (torch.ones(5_999_993, dtype=torch.double),))[1]
torch.autograd.grad((d ** 3).sum(), d, create_graph=True)[0]
torch.autograd.grad((torch.fft.fft(p).abs()).sum(), p, create_graph=True)[0]
torch.utils.checkpoint.checkpoint(lambda t: (t * 2).sin(), d, use_reentrant=False)
d.clone().sin_().mul_(2)
d.tolist()[:0]
p[:900000].tolist()
str(p)
repr(md)
torch.equal(d, d)
torch.allclose(d, d)
torch.isin(n, n[:1000])
torch.sparse_coo_tensor(torch.stack([n[:1_000_000], n[:1_000_000]]), p[:1_000_000].detach()).coalesce()
torch.eye(2400).to_sparse()
torch.sparse.mm(torch.eye(2400).to_sparse(), m[:2400, :2400])
m.to_sparse().to_dense()
copy.deepcopy(d.detach())
pickle.dumps(p[:500_000].detach())
p.detach().numpy().tobytes()
np.fft.fft(az)
np.sort(a)
np.argsort(a)
np.unique(a, return_inverse=True)
np.linalg.svd(am[:700, :700])
np.einsum('ij,jk->ik', am, am)
np.cumsum(a)
np.convolve(a[:200_000], a[:1000])
np.histogram(a, 1000)
np.percentile(a, 50)
np.meshgrid(a[:2400], a[:2400])
np.where(a > 0, a, -a)
np.concatenate([a[:3_000_000], a[:2_000_000]])
np.tile(a[:3_000_000], 2)
np.outer(a[:2449], a[:2449])
np.kron(am[:49, :49], am[:49, :49])
np.random.rand(5_999_993)
np.random.permutation(5_999_993)
np.std(am, axis=0)
np.gradient(a)
np.array2string(a)
a.astype(complex)
a.tolist()[:0]
az * az + az
am @ am
am.T.copy()
np.lexsort((a, a))
np.partition(a, 3_000_000)
np.median(a)
np.diff(a)
np.cov(am[:1000])
np.pad(am, 5)
np.repeat(a[:3_000_000], 2)
np.digitize(a, a[:1000])
np.linalg.inv(am[:1000,:1000] + 1000 * np.eye(1000))
""".strip().splitlines()

WHOLE: dict[str, str] = {
    "many tensors": "import torch\nx = [torch.ones(1_000_000) for _ in range(63)]\ny = x[0] + x[1]",
    "many tensors, again and again": "import torch\nfor i in range(20): x = [torch.ones(500_000 + 1000 * i) for _ in range(100)]",
    "blocks between blocks": "import torch\nx = [(torch.ones(1_900_000), torch.ones(10)) for _ in range(30)]\ny = [b for a, b in x]\ndel x\nz = [torch.ones(5_900_000) for _ in range(10)]",
    "half of them let go": "import torch\nx = [torch.ones(100_000) for _ in range(600)]\ny = x[::2]\ndel x\nz = [torch.ones(5_900_000) for _ in range(4)]",
    "a training of large weights": "import torch\nfrom torch import nn\nm = nn.Sequential(nn.Linear(1500, 1500), nn.ReLU(), nn.Linear(1500, 1500))\no = torch.optim.Adam(m.parameters())\nx = torch.randn(256, 1500)\nfor i in range(50):\n    o.zero_grad()\n    m(x).pow(2).mean().backward()\n    o.step()",
    "many kept in a graph": "import torch\nx = torch.ones(1_000_000, requires_grad=True)\ny = x\nfor i in range(200): y = (y * 1.01).sin()\ny.sum().backward()",
    "overwritten again and again": "import torch\nx = torch.ones(1_000_000)\nfor i in range(200): x.mul_(1.01).add_(1)",
    "attention": "import torch\nimport torch.nn.functional as F\nq = torch.randn(4, 8, 400, 64, requires_grad=True)\nF.scaled_dot_product_attention(q, q, q).sum().backward()",
    "a deep net on an image": "import torch\nfrom torch import nn\nm = nn.Sequential(*[nn.Conv2d(8, 8, 3, padding=1) for _ in range(20)])\nm(torch.randn(1, 8, 200, 200, requires_grad=True)).sum().backward()",
    "a document as large as may be": "import torch\nx = torch.randn(256, requires_grad=True)\nfor i in range(20_000): (x * i).sin().sum().backward()",
    "figures": "import matplotlib.pyplot as plt\nimport numpy as np\nfor i in range(40):\n    plt.figure()\n    for k in range(20): plt.plot(np.random.randn(1000))\n    plt.show()",
    "large tensors and a large document": "import torch\nz = [torch.ones(1_000_000) for _ in range(55)]\nx = torch.randn(256, requires_grad=True)\nfor i in range(15_000): (x * i).sin().sum().backward()",
    "lists": "x = [[i] for i in range(900_000)]",
    "dicts": "x = [{i: i} for i in range(900_000)]",
    "sets": "x = [{i} for i in range(600_000)]",
    "long lists": "x = [[0] * 1_000_000 for i in range(1000)]",
    "long texts": "x = ['ab' * 400_000 + str(i) for i in range(2000)]",
    "short texts": "x = [str(i) * 20 for i in range(250_000)]",
    "wide texts": "x = ['\U0001f600' * 900_000 for i in range(1000)]",
    "bytes": "x = [bytes(900_000) for i in range(1000)]",
    "long integers": "x = [(1 << 16_000) + i for i in range(200_000)]",
    "tuples": "x = []\nfor i in range(300_000): x.append((i, i, i))",
    "objects": "class A: pass\nx = []\nfor i in range(200_000):\n    a = A()\n    a.x = i\n    x.append(a)",
    "generators": "def g():\n    yield 1\nx = [g() for i in range(300_000)]",
    "functions": "x = [lambda: i for i in range(300_000)]",
    "calls as deep as may be": "def f(n): return 0 if n == 0 else f(n - 1)\nfor i in range(100): f(990)",
    "small tensors": "import torch\nx = [torch.ones(2) for i in range(90_000)]",
    "small tensors with a graph": "import torch\nx = torch.ones(2, requires_grad=True)\ny = [x * i for i in range(90_000)]",
    "lists and tensors": "import torch\nz = [torch.ones(1_000_000) for _ in range(60)]\nx = [{i: i} for i in range(700_000)]",
    "lists beside large tensors": "import torch\nx = [[i] for i in range(500_000)]\nz = [torch.ones(5_900_000) for _ in range(10)]\ny = z[0] * 2",
    "printed": "import torch\nx = torch.ones(5_999_993)\nfor i in range(50): print(x.tolist()[:3], x)",
    "modules": "from torch import nn\nx = [nn.Linear(30, 30) for i in range(5000)]",
    "optimizers": "import torch\nx = [torch.nn.Parameter(torch.ones(1_000_000)) for _ in range(12)]\no = torch.optim.Adam(x)\nfor i in range(3):\n    for p in x: p.grad = torch.ones(1_000_000)\n    o.step()",
}  # fmt: skip
"""Programs that take it in other ways."""

_IMPORTS = (
    "import copy, pickle\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
)
_BACKWARD = "if isinstance(y, torch.Tensor) and y.requires_grad: (y.abs() if y.is_complex() else y).sum().backward()"


def programs() -> dict[str, str]:
    """All of them, by what tells them apart."""
    made = dict(WHOLE)
    for call in CALLS:
        used = set(re.findall(r"(?<![\w.'])([A-Za-z_]\w*)", call))
        setup = "".join(f"{line}\n" for name, line in SETUP.items() if name in used)
        made[call] = f"{_IMPORTS}{setup}y = {call}\n{_BACKWARD}"
    return made
