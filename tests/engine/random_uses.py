"""Random programs that use PyTorch's names: layers, losses, ops and tensor methods with arguments that mostly fit.

`source(seed)` is the program. What a statement gives is printed with its dtype, shape, strides and graph, what it
raises in full, and after it the gradients of what it was computed from. `tests.record.random_uses` compares.
"""

from __future__ import annotations

import random
import re

PREAMBLE = """import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter("ignore")


def graph(node, depth=3):
    if node is None:
        return "None"
    if depth == 0:
        return "..."
    edges = ",".join(graph(n, depth - 1) + (f":{i}" if i else "") for n, i in node.next_functions)
    return node.name().split("::")[-1] + (f"({edges})" if edges else "")


def text(x):
    if isinstance(x, complex):
        return text(x.real) + " " + text(x.imag) + "j"
    if not isinstance(x, float):
        return str(x)
    return "0" if abs(x) < 1e-5 else f"{x:.3g}"


def show(v, depth=3):
    if isinstance(v, torch.Tensor):
        values = [text(x) for x in v.detach().reshape(-1)[:8].tolist()]
        print(type(v).__name__, v.dtype, tuple(v.shape), v.stride(), v.requires_grad, graph(v.grad_fn), values)
    elif isinstance(v, (tuple, list)) and depth:
        print(type(v).__name__, len(v))
        for part in v:
            show(part, depth - 1)
    elif isinstance(v, float):
        print(text(v))
    elif callable(v):
        print("callable")
    else:
        print(v)


def slopes(v, *sources):
    parts = v if isinstance(v, (tuple, list)) else [v]
    for part in parts:
        if isinstance(part, torch.Tensor) and part.requires_grad:
            ones = torch.ones_like(part)
            for found in torch.autograd.grad(part, sources, ones, retain_graph=True, allow_unused=True):
                show(found)


torch.manual_seed(0)
a = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)
b = torch.tensor([[1.0, 2.0, 0.5], [-0.5, 3.0, 1.25]], dtype=torch.float64, requires_grad=True)
c = torch.rand(3, 2).t().requires_grad_()
v = torch.tensor([0.2, 0.3, 0.9], requires_grad=True)
m = torch.randn(3, 3, requires_grad=True)
s = torch.tensor(0.7, requires_grad=True)
i = torch.tensor([[2, 0, 1], [1, 1, 0]])
k = torch.tensor([1, 0])
o = torch.tensor([True, False, True])
x = torch.randn(2, 4, 5, requires_grad=True)
y = torch.randn(1, 2, 6, 4, requires_grad=True)
z = torch.randn(2, 3, 4).permute(0, 2, 1).requires_grad_()
e = torch.zeros(0, 3, requires_grad=True)
"""
STATEMENT = """
print("$", {shown!r})
try:
    r = {text}
    show(r)
    slopes(r, {names})
except Exception as error:
    print(type(error).__name__, error)
"""

METHODS = """
sum(D) sum(D,keepdim=True) sum() mean(D) mean(D,B) mean() std(D) var(D,correction=0) var() prod(D) max(D) min(D) max()
argmax(D) argmin() amax(D) median(D) mode(D) kthvalue(I,D) topk(I,D) topk(I,largest=False) sort(D)
sort(descending=True) argsort(D) cumsum(D) cumprod(D) cummax(D) logsumexp(D) softmax(D) log_softmax(D) norm()
norm(N,D) all() any(D) unique() nonzero() count_nonzero(D) quantile(Q) quantile(Q,D) nanmean(D) nansum(D) aminmax()
view(S) view(-1) reshape(S) flatten() flatten(I) permute(P) transpose(D,D) t() T mT squeeze() squeeze(D) unsqueeze(D)
expand(S) expand(-1,-1,-1) repeat(I,I) tile(I) chunk(I,D) chunk(I) split(I,D) split(I) unbind(D) narrow(D,I,I)
select(D,I) index_select(D,k) gather(D,i) take(k) roll(I,D) flip(D) diagonal() diag() tril() triu(I) movedim(D,D)
swapaxes(D,D) unfold(D,I,I) repeat_interleave(I) repeat_interleave(I,D) masked_select(o) masked_fill(o,N)
masked_fill(A>0,N) clamp(N,N) clamp(min=N) clip(max=N) pow(N) pow(A) sqrt() exp() log() abs() sign() round()
round(decimals=I) floor() sigmoid() tanh() relu() sin() reciprocal() rsqrt() square() neg() erf() lgamma() frac()
logit() float() double() long() int() half() bool() to(torch.float64) type(torch.int32) type_as(A) clone() detach()
contiguous() numpy item() tolist() size() size(D) dim() numel() shape ndim dtype grad is_leaf requires_grad
is_contiguous() stride() storage_offset() element_size() data_ptr grad_fn names device layout new_zeros(S) new_ones(S)
new_tensor([N,N]) new_full(S,N) fill_(N) zero_() add_(N) mul_(A) sub_(A) div_(N) copy_(A) add(A) sub(A,alpha=I) mul(A)
div(A) div(A,rounding_mode='floor') matmul(A) mm(A) mv(v) dot(A) bmm(A) outer(v) addmm(A,A) eq(A) lt(N) isclose(A)
equal(A) allclose(A) where(A>0,A) lerp(A,N) atan2(A) fmod(N) remainder(A) maximum(A) cross(A) dist(A) inverse() det()
logdet() trace() pinverse() cholesky() qr() adjoint() scatter(D,i,N) scatter_add(D,i,A) index_add(D,k,A)
index_fill(D,k,N) index_copy(D,k,A) put(k,v) diff() cov() corrcoef() histc(I) bincount() isnan() isfinite()
nan_to_num() heaviside(A)
xlogy(A) logaddexp(A) hypot(A) float_power(N) expm1() log1p() sinc() rot90() fliplr() flipud() tensor_split(I)
hsplit(I) vsplit(I) dsplit(I) unsafe_chunk(I) unflatten(D,S) view_as(A) expand_as(A) reshape_as(A) sum_to_size(S)
backward() retain_grad() requires_grad_() register_hook(print) softmax() mean(dtype=torch.float64)
sum(dtype=torch.int64) as_strided(S,S) moveaxis(D,D) cuda cpu() msort() nanmedian(D) renorm(N,D,N) std_mean(D) var_mean
argwhere() bernoulli(N) cumulative_trapezoid swapdims(D,D) ravel() positive() logcumsumexp(D) shpae sofmax(D) grads
dims() len sume() requires_gard index_put((k,),v) addcmul(A,A,value=N) addcdiv(A,A) addmv(A,v) addbmm(A,A)
baddbmm(A,A) mvlgamma(I) polygamma(I,A)
""".split()
FUNCTIONS = """
torch.cat([A,A],D) torch.stack([A,A],D) torch.stack([A,A]) torch.hstack([A,A]) torch.vstack([A,A])
torch.einsum('ij,ij->i',A,A) torch.einsum('ij,jk->ik',A,A) torch.tensordot(A,A,I) torch.matmul(A,A)
torch.where(A>0,A,N) torch.where(o,A,A) torch.zeros(S) torch.ones_like(A) torch.full(S,N) torch.arange(N,N)
torch.arange(I) torch.linspace(N,N,I) torch.eye(I,I) torch.meshgrid(v,v,indexing='ij') torch.cartesian_prod(v,v)
torch.combinations(v) torch.bucketize(A,v) torch.searchsorted(v,A) torch.cdist(A,A) torch.cdist(A,A,N)
torch.broadcast_tensors(A,A) torch.kron(A,A) torch.outer(v,v) torch.block_diag(A,A) torch.cross(A,A,D)
torch.trapezoid(A) torch.unique(i,return_counts=True) torch.std_mean(A,D) torch.var_mean(A) torch.addmm(A,A,A)
torch.lerp(A,A,N) torch.clamp(A,A,A) torch.logaddexp(A,A) torch.isin(i,k) torch.histogram(A,I) torch.multinomial(v,I)
torch.randint(I,S) torch.normal(N,N,S) torch.bernoulli(v) torch.rand_like(A) torch.randn(S) torch.randperm(I)
torch.tensor(A) torch.as_tensor(A) torch.tensor([N,N],requires_grad=True) torch.empty_like(A).shape
torch.linalg.norm(A) torch.linalg.norm(A,N) torch.linalg.norm(A,dim=D) torch.linalg.solve(m,A) torch.linalg.inv(A)
torch.linalg.eigh(m@m.T) torch.linalg.svdvals(A) torch.linalg.det(A) torch.linalg.qr(A)
torch.linalg.cholesky(m@m.T+torch.eye(3)) torch.linalg.lstsq(m,A) torch.linalg.matrix_power(m,I)
torch.linalg.vector_norm(A,N,D) torch.linalg.matrix_norm(A,N) torch.linalg.cond(m) torch.linalg.multi_dot([A,A,m])
torch.linalg.pinv(A) torch.linalg.slogdet(m) torch.linalg.matrix_rank(A) torch.linalg.cross(A,A)
torch.linalg.vander(v) torch.linalg.eigvals(m) torch.triangular_solve(A,m) torch.fft.fft(A,dim=D) torch.fft.rfft(A)
torch.fft.fft2(A) torch.fft.fftshift(A) torch.fft.irfft(A) torch.fft.fftn(A,dim=(D,D)) torch.stft(v,I)
torch.rot90(A,I,(D,D)) torch.take_along_dim(A,i,D) torch.autograd.grad(A.sum(),A)
torch.autograd.grad(A.sum(),a,allow_unused=True) torch.autograd.grad(A,A)
torch.autograd.functional.jacobian(torch.exp,A) torch.autograd.functional.hessian(torch.sum,A)
torch.func.grad(torch.sum)(A) torch.func.jacrev(torch.sin)(v.detach())
torch.func.vmap(torch.dot,in_dims=(0,None))(A.detach(),v.detach())
torch.utils.checkpoint.checkpoint(torch.sin,A,use_reentrant=False) F.linear(A,A) F.linear(A,A,v) F.relu(A) F.gelu(A)
F.gelu(A,approximate='tanh') F.leaky_relu(A,N) F.elu(A) F.selu(A) F.silu(A) F.softplus(A) F.softmax(A,dim=D)
F.log_softmax(A,D) F.hardtanh(A) F.mse_loss(A,A) F.mse_loss(A,A,reduction='none') F.l1_loss(A,A,reduction='sum')
F.smooth_l1_loss(A,A,beta=N) F.huber_loss(A,A) F.cross_entropy(A,k) F.cross_entropy(A,i) F.cross_entropy(A,A)
F.cross_entropy(A,k,weight=v) F.cross_entropy(A,k,label_smoothing=N) F.cross_entropy(A,k,ignore_index=I)
F.nll_loss(A,k) F.nll_loss(A,k,reduction='avg') F.binary_cross_entropy(A,A)
F.binary_cross_entropy(A.sigmoid(),A.sigmoid()) F.binary_cross_entropy_with_logits(A,A)
F.binary_cross_entropy_with_logits(A,A,pos_weight=v) F.kl_div(A,A,reduction='batchmean')
F.cosine_similarity(A,A,dim=D) F.pairwise_distance(A,A) F.triplet_margin_loss(A,A,A) F.cosine_embedding_loss(A,A,k)
F.hinge_embedding_loss(A,A) F.margin_ranking_loss(A,A,A) F.multi_margin_loss(A,k) F.multilabel_margin_loss(A,i)
F.soft_margin_loss(A,A) F.gaussian_nll_loss(A,A,A.abs()) F.poisson_nll_loss(A,A) F.normalize(A,dim=D)
F.layer_norm(A,S) F.layer_norm(A,(3,)) F.batch_norm(A,None,None,training=True) F.group_norm(A,I) F.instance_norm(A)
F.rms_norm(A,(3,)) F.local_response_norm(A,I) F.embedding(i,A) F.embedding(k,m) F.one_hot(i) F.one_hot(k,I)
F.pad(A,(I,I)) F.pad(A,(I,I,I,I),value=N) F.pad(A,(I,I),mode='reflect') F.pad(A,(I,I),'circular') F.dropout(A,N)
F.dropout(A,0.5,False) F.conv1d(A,A) F.conv1d(x,torch.ones(2,4,3)) F.conv1d(A,torch.ones(2,4,I),stride=I,padding=I)
F.conv2d(y,torch.ones(3,2,3,I),padding=I) F.conv2d(A,torch.ones(3,2,2,2),dilation=I)
F.conv_transpose2d(y,torch.ones(2,3,2,2),stride=I) F.max_pool1d(A,I) F.max_pool2d(A,I)
F.max_pool2d(A,I,stride=I,padding=I) F.avg_pool2d(A,I) F.avg_pool1d(A,I,I) F.adaptive_avg_pool2d(A,I)
F.adaptive_max_pool1d(A,I) F.lp_pool1d(A,N,I) F.lp_pool2d(A,N,I) F.max_pool2d(A,I,return_indices=True)
F.interpolate(A,scale_factor=I) F.interpolate(A,size=I,mode='linear') F.interpolate(A,size=(I,I),mode='bilinear')
F.unfold(A,I) F.fold(A,(3,3),I) F.pixel_shuffle(A,I) F.grid_sample(y,torch.zeros(1,2,2,2))
F.affine_grid(torch.zeros(1,2,3),(1,2,2,2)) F.scaled_dot_product_attention(A,A,A)
F.scaled_dot_product_attention(x,x,x,is_causal=True) F.multi_head_attention_forward F.bilinear(A,A,torch.ones(2,3,3))
F.glu(A,D) F.prelu(A,v) F.threshold(A,N,N) F.gumbel_softmax(A) F.ctc_loss(A,k,k,k) F.pdist(A)
""".split()
LAYERS = """
nn.Linear(I,I)(A) nn.Linear(3,I)(A) nn.Linear(4,I,bias=False)(A) nn.Bilinear(3,3,2)(A,A) nn.Conv1d(4,2,I)(A)
nn.Conv1d(4,2,3,padding='same')(A) nn.Conv2d(2,3,I)(A) nn.Conv2d(2,4,3,stride=I,padding=I,groups=2)(A)
nn.ConvTranspose1d(4,2,I,stride=2)(A) nn.ConvTranspose2d(2,3,2,output_padding=I)(A) nn.BatchNorm1d(4)(A)
nn.BatchNorm1d(3)(A) nn.BatchNorm2d(2)(A) nn.BatchNorm1d(I)(A) nn.LayerNorm(I)(A) nn.LayerNorm([4,5])(A)
nn.GroupNorm(I,4)(A) nn.InstanceNorm1d(4)(A) nn.RMSNorm(3)(A) nn.Dropout(N)(A) nn.Dropout(0.5)(A) nn.Embedding(3,4)(i)
nn.Embedding(3,4,padding_idx=I)(i) nn.Embedding(2,3)(i) nn.EmbeddingBag(3,2)(i) nn.RNN(5,3)(A)
nn.LSTM(5,2,batch_first=True)(A) nn.GRU(5,2,bidirectional=True)(A) nn.LSTM(3,2,num_layers=2)(A) nn.RNNCell(3,2)(A)
nn.LSTMCell(3,2)(A) nn.GRUCell(3,2)(A) nn.MultiheadAttention(4,2)(A,A,A) nn.MultiheadAttention(5,1)(x,x,x)
nn.TransformerEncoderLayer(4,2,8,dropout=0.0)(A) nn.Sequential(nn.Linear(3,4),nn.ReLU(),nn.Linear(4,1))(A)
nn.Sequential(nn.Conv2d(2,3,3),nn.ReLU(),nn.Flatten(),nn.LazyLinear(2))(A) nn.Flatten()(A) nn.Flatten(D)(A)
nn.Unflatten(D,S)(A) nn.ReLU()(A) nn.LeakyReLU(N)(A) nn.Softmax(D)(A) nn.Softmax()(A) nn.LogSoftmax(dim=D)(A)
nn.PReLU(I)(A) nn.GELU()(A) nn.Softplus(N)(A) nn.MSELoss()(A,A) nn.L1Loss(reduction='sum')(A,A)
nn.CrossEntropyLoss()(A,k) nn.CrossEntropyLoss(weight=v)(A,k) nn.CrossEntropyLoss()(A,A) nn.NLLLoss()(A,k)
nn.BCELoss()(A,A) nn.BCELoss()(A.sigmoid(),A.sigmoid().detach()) nn.BCEWithLogitsLoss()(A,A) nn.KLDivLoss()(A,A)
nn.SmoothL1Loss()(A,A) nn.HuberLoss(delta=N)(A,A) nn.TripletMarginLoss()(A,A,A) nn.CosineEmbeddingLoss()(A,A,k)
nn.MultiMarginLoss()(A,k) nn.MaxPool1d(I)(A) nn.MaxPool2d(I,stride=I)(A) nn.AvgPool2d(I)(A) nn.AdaptiveAvgPool1d(I)(A)
nn.AdaptiveAvgPool2d((I,I))(A) nn.Upsample(scale_factor=I)(A) nn.ZeroPad2d(I)(A) nn.ReflectionPad1d(I)(A)
nn.PixelShuffle(I)(A) nn.Identity()(A) nn.CosineSimilarity(dim=D)(A,A) nn.PairwiseDistance(N)(A,A)
nn.Linear(3,2).weight.shape nn.Linear(3,2).state_dict().keys() list(nn.Linear(3,I).parameters()) nn.Linear(3,2).wieght
nn.Linear(3,2)(A).relu().sum() nn.Linear(3,'2') nn.Linear(3) nn.Parameter(A) nn.ParameterList([A,A])
nn.ModuleList([nn.ReLU()])(A) nn.utils.clip_grad_norm_([A],N) nn.utils.parameters_to_vector([A,A])
nn.init.xavier_uniform_(A) nn.init.normal_(A.detach(),N,N) nn.init.constant_(A.data,N)
nn.utils.rnn.pad_sequence([v,v[:2]]) nn.utils.rnn.pad_sequence([A,A]) torch.optim.SGD([A],lr=N) torch.optim.Adam(A)
torch.optim.SGD([A],lr=-1) torch.optim.Adam([a,v],betas=(N,N)).state_dict()['param_groups'][0]['betas']
torch.optim.SGD([v],lr=N,momentum=N,nesterov=True).defaults
torch.optim.lr_scheduler.StepLR(torch.optim.SGD([v],lr=0.1),I).get_last_lr()
""".split()
OPERATORS = """
A+A A-A A*A A/A A@A A**I A**A A//I A%N A>A A==A -A ~A A&A N*A N/A N-A I**A A[I] A[-1] A[:,I] A[...,I] A[I:] A[::I]
A[o] A[k] A[:,o] A[A>0] A[i] A[None] A[I,I] A[:,None] A[I,I,I] A[[0,1]] A[k,k] A[True] A['a'] A[0.5] A+'a' A+[1]
A+None not(A) len(A) float(A) int(A) bool(A) list(A)[0] sum(A) max(A) abs(A) round(A) A(1) A.x=1 A<None A==None
isinstance(A,int) tuple(A)[1] sorted(v) zip(A) A.size()[I] A.shape[D] A+True A*1j
""".split()
TENSORS = "aaabbccvvvmsikoxxyyze"


def statement(pick: random.Random) -> str:
    """One expression, its placeholders filled."""
    kind = pick.random()
    if kind < 0.4:
        pattern = "A." + pick.choice(METHODS)
    elif kind < 0.6:
        pattern = pick.choice(FUNCTIONS)
    elif kind < 0.82:
        pattern = pick.choice(LAYERS)
    else:
        pattern = pick.choice(OPERATORS)
    return filled(pattern, pick)


def filled(pattern: str, pick: random.Random) -> str:
    """A: a tensor, mostly the same; B: a bool; D: a dimension; I: an int; N, Q: numbers; P, S: sizes."""
    usual = pick.choice(TENSORS)

    def value(match: re.Match[str]) -> str:
        what = match.group()
        if what == "A":
            return usual if pick.random() < 0.7 else pick.choice(TENSORS)
        if what == "D":
            return str(pick.choice([0, 0, 1, 1, -1, -1, 2, -2, 3, 7]))
        if what == "I":
            return str(pick.choice([1, 1, 2, 2, 2, 3, 3, 0, 4, 5, -1]))
        if what == "N":
            return pick.choice("0.5 0.5 2 1 0.1 2.0 3 -1 0 1e-3 float('inf')".split())
        if what == "Q":
            return pick.choice(["0.5", "0.25", "1", "v", "torch.tensor([0.1, 0.9])"])
        if what == "P":
            return pick.choice(["1, 0", "0, 2, 1", "2, 0, 1", "1, 0, 2, 3", "-1, 0", "0, 0"])
        if what == "B":
            return pick.choice(["True", "False"])
        return pick.choice(["(3, 2)", "(-1,)", "(2, -1)", "(1, 3)", "(6,)", "(2, 2, 5)", "(2, 3)", "(3,)", "()", "3"])

    return re.sub(r"(?<![\w'.])[ADINQPSB](?![\w'])", value, pattern)


def source(seed: int) -> str:
    """The program of a seed: five statements."""
    pick = random.Random(seed)
    texts = []
    for _ in range(5):
        text = statement(pick)
        names = sorted({n for n in re.findall(r"(?<![\w'.])[abcvmsxyze](?![\w'])", text)} - {"e"}) or ["a"]
        texts.append(STATEMENT.format(text=text, shown=text, names=", ".join(names)))
    return PREAMBLE + "".join(texts)


def statements(printed: str) -> list[str]:
    """What each statement of a program printed, addresses left out."""
    return re.split(r"^(?=\$ )", re.sub(r"0x\w+", "0x", printed), flags=re.MULTILINE)
