# Alternating optimisation of two parameter sets, frozen by requires_grad, detach or separate optimisers
import torch
torch.manual_seed(0)
A = torch.randn(4, 2, requires_grad=True)
B = torch.randn(2, 3, requires_grad=True)
M = torch.arange(12.).view(4, 3) / 10
oa, ob = torch.optim.SGD([A], lr=0.1), torch.optim.SGD([B], lr=0.1)
for it in range(4):
    which, opt = ("A", oa) if it % 2 == 0 else ("B", ob)
    for o in (oa, ob):
        o.zero_grad()
    L = ((A if which == "A" else A.detach()) @ (B if which == "B" else B.detach()) - M).pow(2).sum()
    L.backward()
    opt.step()
    print(it, which, round(L.item(), 5), A.grad is None, B.grad is None)
A.requires_grad_(False)
L = (A @ B - M).pow(2).sum() + 0.01 * (A.norm() + B.norm())
L.backward()
print(A.grad, B.grad.norm(), L.grad_fn.next_functions[0][0].name())
