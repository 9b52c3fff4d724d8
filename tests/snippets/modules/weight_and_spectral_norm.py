# Weight norm and spectral norm, by parametrization and by the older hooks; a discriminator's Lipschitz constant
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import parametrizations, remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm


def graph(fn, depth=4):
    if fn is None or depth == 0:
        return str(fn)
    return fn.name() + "(" + ", ".join(graph(n, depth - 1) if n else "-" for n, _ in fn.next_functions) + ")"


torch.manual_seed(0)
x = torch.randn(4, 3)
new = parametrizations.weight_norm(nn.Linear(3, 2))
print(new, new.parametrizations.weight.original0.shape, new.parametrizations.weight.original1.shape)
out = new(x)
print(graph(out.grad_fn))
out.pow(2).sum().backward()
print(new.parametrizations.weight.original0.grad, new.parametrizations.weight.original1.grad)
node = new.weight.grad_fn
print(node, node._saved_dim, node._saved_g.shape, node._saved_result1)

old = weight_norm(nn.Conv1d(2, 3, 2), dim=None)
print(old, [n for n, _ in old.named_parameters()], old.weight_g)
old(torch.randn(1, 2, 5)).sum().backward()
print(old.weight_g.grad, old.weight_v.grad.shape, old.weight.grad_fn)
plain = remove_weight_norm(weight_norm(nn.Conv1d(2, 3, 2)))
print([n for n, _ in plain.named_parameters()], plain.weight.is_leaf)

torch.manual_seed(1)
disc = nn.Sequential(spectral_norm(nn.Linear(3, 8)), nn.LeakyReLU(0.1), parametrizations.spectral_norm(nn.Linear(8, 1)))
print(disc)
print(list(disc.state_dict()))
opt = torch.optim.Adam(disc.parameters(), lr=0.01)
for step in range(4):
    loss = F.softplus(-disc(x)).mean() + F.softplus(disc(-x)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.5f}", f"{torch.linalg.matrix_norm(disc[2].weight, 2).item():.4f}")
print(graph(disc(x).grad_fn, 6))
disc.eval()
print(torch.equal(disc(x), disc(x)), disc[0].weight_u)
plain = remove_spectral_norm(spectral_norm(nn.Linear(2, 2)))
print(plain, [n for n, _ in plain.named_parameters()])
for f in (lambda: remove_weight_norm(nn.Linear(1, 1)), lambda: spectral_norm(spectral_norm(nn.Linear(2, 2))), lambda: parametrizations.spectral_norm(nn.Linear(2, 2), "w")):
    try:
        f()
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
