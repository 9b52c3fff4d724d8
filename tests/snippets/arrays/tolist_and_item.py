# item, tolist, Python numbers and tensors in conditions
import torch

t = torch.tensor([[1, 2], [3, 4]])
print(t.tolist(), t.sum().item(), int(t[0, 1]), float(t.float().mean()), bool(t[0, 0] == 1))
print(len(t), t.size(), t.size(0), t.shape[1], t.numel(), t.dim(), t.ndim, t.nelement())
for row in t:
    print(row, [v.item() for v in row])
if (t > 0).all():
    print("all positive", (t > 2).sum(), (t > 2).nonzero(), torch.nonzero(t == 4, as_tuple=True))
for f in (lambda: bool(t), lambda: t.item(), lambda: len(torch.tensor(1)), lambda: list(torch.tensor(3))):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, "-", e)
x = torch.tensor(2.5, requires_grad=True)
print(float(x), round(x.item()), f"{x.item():.1f}", x > 2, 3 * x, -x, x // 1, x % 1, abs(-x))
