# Numbers that nodes keep: as PyTorch's ops got them
import torch, torch.nn.functional as F
torch.manual_seed(0)
a = torch.rand(3, 3, requires_grad=True)
for f in (lambda: a.var(), lambda: a.var(0), lambda: a.var(0, True), lambda: a.var(unbiased=True), lambda: a.var(unbiased=False), lambda: a.var(False), lambda: a.var(dim=1, keepdim=True), lambda: a.var(1, correction=2), lambda: torch.var(a), lambda: torch.var(a, 0), lambda: a.std(), lambda: a.std(0), lambda: a.std(dim=0), lambda: a.std(0, unbiased=True), lambda: torch.var_mean(a)[0], lambda: torch.var_mean(a, 0)[0], lambda: torch.std_mean(a)[0], lambda: torch.std_mean(a, dim=0, correction=0.5)[0], lambda: a.var(correction=1), lambda: a.var(correction=None), lambda: a.var((0, 1))):
    n = f().grad_fn
    print(n.name(), n._saved_correction, type(n._saved_correction).__name__, n._saved_dim, n._saved_keepdim)
for f in (lambda: F.elu(a), lambda: F.elu(a, 2.), lambda: F.selu(a), lambda: F.celu(a), lambda: F.celu(a, 2), lambda: torch.nn.ELU()(a), lambda: F.elu_(a.clone())):
    n = f().grad_fn
    print(n.name(), n._saved_alpha, getattr(n, "_saved_input_scale", None), getattr(n, "_saved_scale", None))
for f in (lambda: F.leaky_relu(a), lambda: F.hardtanh(a), lambda: F.relu6(a), lambda: F.threshold(a, 1, 2), lambda: F.softplus(a), lambda: F.hardshrink(a), lambda: F.softshrink(a), lambda: a.clamp(0, 1), lambda: a.clamp(0.5), lambda: a.pow(2), lambda: a ** 2.5, lambda: a * 3, lambda: a + 1, lambda: a.norm(), lambda: a.norm(3), lambda: F.normalize(a), lambda: F.dropout(a, 0.2), lambda: F.gelu(a, approximate='tanh'), lambda: a.logit(0.1), lambda: a.renorm(1, 0, 2), lambda: F.pairwise_distance(a, a + 1), lambda: torch.cdist(a, a, p=1), lambda: F.smooth_l1_loss(a, a * 2, beta=2.0), lambda: F.huber_loss(a, a * 2, delta=2.0), lambda: F.cross_entropy(a, torch.tensor([0, 1, 2]), label_smoothing=0.1), lambda: F.nll_loss(a, torch.tensor([0, 1, 2]), ignore_index=1), lambda: F.binary_cross_entropy_with_logits(a, a.detach(), pos_weight=torch.ones(3)), lambda: F.gaussian_nll_loss(a, a.detach(), torch.ones(3, 3)), lambda: F.poisson_nll_loss(a, a.detach()), lambda: F.multi_margin_loss(a, torch.tensor([0, 1, 2])), lambda: F.triplet_margin_loss(a, a + 1, a + 2), lambda: F.cosine_embedding_loss(a, a + 1, torch.ones(3)), lambda: F.ctc_loss(a.log_softmax(1)[:, None], torch.tensor([[1]]), torch.tensor([3]), torch.tensor([1]))):
    n = f().grad_fn
    print(n.name(), {k: (v if not isinstance(v, torch.Tensor) else tuple(v.shape)) for k, v in ((k, getattr(n, k)) for k in dir(n) if k.startswith('_saved_'))})
