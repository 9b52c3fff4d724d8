# Gradients of complex numbers that mind conjugates: products, norms, phases, convolutions, and what has no answer.
import torch

z = torch.tensor([1 + 2j, -1.5j, 0.5 + 0j, -2 + 1j], requires_grad=True)


def shown(name, result):
    (g,) = torch.autograd.grad(result.abs().sum() if result.is_complex() else result.sum(), z)
    print(name, result.detach(), g, result.grad_fn)


shown("vecdot", torch.linalg.vecdot(z.view(2, 2), z.view(2, 2).flip(1)))
shown("var_mean", torch.var_mean(z)[0] * torch.var_mean(z)[1])
shown("renorm", torch.renorm(z.view(2, 2), 2, 0, 1.0))
shown("conv", torch.nn.functional.conv1d(z.view(1, 1, 4), z.view(1, 1, 4)[..., :2].conj()))
shown("logsumexp", torch.logsumexp(z * 2, 0))
shown("logaddexp", torch.logaddexp(z, z.flip(0)))
shown("logcumsumexp", torch.logcumsumexp(z, 0))
shown("power", (-2.0) ** z)
shown("triangular", torch.triangular_solve(z.view(2, 2), z.view(2, 2) + torch.eye(2))[0])
print(torch.acos(z.detach()), -z.detach())
for attempt in (
    lambda: torch.linalg.svd(z.view(2, 2))[0].sum().backward(),
    lambda: torch.linalg.eig(z.view(2, 2))[1].sum().backward(),
    lambda: torch.nn.functional.silu(z),
    lambda: torch.nan_to_num(z),
    lambda: torch.logaddexp2(z, z),
    lambda: torch.nn.functional.conv1d(z.view(1, 1, 4), torch.ones(1, 1, 2)),
    lambda: torch.nn.functional.dropout(z),
):
    try:
        attempt()
    except (RuntimeError, NotImplementedError) as error:
        print(type(error).__name__, error)
