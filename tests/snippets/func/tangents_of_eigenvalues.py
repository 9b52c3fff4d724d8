# Tangents of eigenvalues, singular values and what is made of them, and ops whose gradients save nothing
import torch
import torch.autograd.forward_ad as fwAD
import torch.nn.functional as F

A = torch.tensor([[2.0, 1.0], [1.0, 3.0]], dtype=torch.float64)
with fwAD.dual_level():
    dual = fwAD.make_dual(A, torch.tensor([[1.0, 0.5], [0.5, 2.0]], dtype=torch.float64))
    for f in (torch.linalg.eigvalsh, torch.linalg.svdvals, torch.linalg.cond, lambda a: torch.linalg.matrix_norm(a, 2)):
        print(fwAD.unpack_dual(f(dual)).tangent)
    print(fwAD.unpack_dual(torch.linalg.matrix_rank(dual)))

x = torch.tensor([1.5, 2.5], requires_grad=True)
c = torch.tensor([1.0, 2.0])
for y in (
    torch.fmod(x, c), x % c, torch.addcmul(x, c, c), torch.addcdiv(x, c, c), torch.addmm(x, c[None], torch.ones(2, 2)),
    torch.baddbmm(x[None, None], c[None, None], torch.ones(1, 2, 2)), x.index_add(0, torch.tensor([0]), c[:1]),
    torch.lerp(x, c, c), x * c, x / c, (x * 1).addcmul_(c, c), (x * 1).mul_(c), (x * 1).fmod_(c),
):
    node, loss = y.grad_fn, y.sum()
    names = [name for name in dir(node) if name.startswith("_saved") and getattr(node, name) is None]
    loss.backward()
    try:
        loss.backward()
        print(node.name(), names, "twice")
    except RuntimeError as e:
        print(node.name(), names, str(e)[:32])
print(x.grad)
