# NT-Xent loss, cosine similarity matrix, temperature, in-batch negatives, InfoNCE by cross entropy
import torch, torch.nn.functional as F
torch.manual_seed(0)
z1, z2 = torch.randn(3, 4, requires_grad=True), torch.randn(3, 4, requires_grad=True)
def nt_xent(z1, z2, tau=.5):
    z = F.normalize(torch.cat([z1, z2]), dim=1); sim = z @ z.T / tau; n = len(z1)
    sim.fill_diagonal_(float("-inf")); pos = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, pos), sim
try:
    l, sim = nt_xent(z1, z2); l.backward(); print(l, sim.grad_fn, z1.grad)
except RuntimeError as e: print(e)
mask = ~torch.eye(6, dtype=torch.bool); z = F.normalize(torch.cat([z1, z2])); s = torch.mm(z, z.t())[mask].view(6, -1); print(s.shape, torch.logsumexp(s, 1))
a = F.cosine_similarity(z1[:, None], z2[None], dim=-1); print(a); F.cross_entropy(a / .1, torch.arange(3)).backward(); print(z2.grad)
