# Same function written six ways: values, graphs and node counts
import torch
x = torch.tensor([.5, -1., 2.], requires_grad=True)
def nodes(t):
    s, q = set(), [t.grad_fn]
    while q:
        n = q.pop()
        if n and n not in s: s.add(n); q += [m for m, _ in n.next_functions]
    return sorted(n.name().split("::")[-1].replace("Backward0", "") for n in s)
forms = [lambda: (x ** 2).sum(), lambda: x.dot(x), lambda: x @ x, lambda: torch.einsum("i,i->", x, x), lambda: x.square().sum(), lambda: x.norm() ** 2, lambda: torch.inner(x, x), lambda: (x * x).sum(), lambda: sum(v * v for v in x), lambda: x.pow(2).mean() * 3, lambda: torch.linalg.vector_norm(x).pow(2), lambda: torch.nn.functional.mse_loss(x, torch.zeros(3), reduction="sum"), lambda: x.view(1, 3).mm(x.view(3, 1)).squeeze(), lambda: torch.outer(x, x).trace(), lambda: torch.stack([v ** 2 for v in x.unbind()]).sum(), lambda: x.cumsum(0)[-1] ** 2 - 2 * (x[0] * x[1] + x[1] * x[2] + x[0] * x[2])]
for f in forms: y = f(); g, = torch.autograd.grad(y, x); print(f"{y.item():.4f}", [round(v, 4) for v in g.tolist()], nodes(y))
