# Gradients of every way to index: ints, slices, masks, lists, ellipsis, None, gather, take, index_put, repeated
import torch
x = torch.arange(12., requires_grad=True)
m = x.view(3, 4)
cases = {
    "m[1]": lambda: m[1], "m[:, 1]": lambda: m[:, 1], "m[..., -1]": lambda: m[..., -1], "m[::2]": lambda: m[::2],
    "m[[0, 2]]": lambda: m[[0, 2]], "m[[0, 0, 1], [1, 1, 2]]": lambda: m[[0, 0, 1], [1, 1, 2]], "m[m > 5]": lambda: m[m > 5],
    "m[None, :, 0]": lambda: m[None, :, 0], "m[1:, [0, 3]]": lambda: m[1:, [0, 3]], "m[torch.tensor(1)]": lambda: m[torch.tensor(1)],
    "m[True]": lambda: m[True], "m[:, None, 2:]": lambda: m[:, None, 2:], "m[(0, 1)]": lambda: m[(0, 1)], "m[range(2)]": lambda: m[range(2)],
    "take": lambda: m.take(torch.tensor([0, 5, 5])), "gather": lambda: m.gather(1, torch.tensor([[0, 0], [1, 2], [3, 3]])),
    "index_select": lambda: m.index_select(1, torch.tensor([3, 3])), "masked_select": lambda: torch.masked_select(m, m.remainder(2) == 0),
    "take_along": lambda: torch.take_along_dim(m, m.argsort(1, descending=True), 1), "narrow": lambda: m.narrow(1, 1, 2),
    "topk": lambda: m.topk(2, dim=0).values, "diag": lambda: m[:, :3].diagonal(1), "unfold": lambda: x.unfold(0, 4, 2), "flip": lambda: m.flip(1)[0],
    "where": lambda: m[torch.where(m > 8)], "nonzero": lambda: m[torch.nonzero(m > 8, as_tuple=True)], "split": lambda: m.split([1, 2])[1],
}
for name, f in cases.items():
    x.grad = None
    r = f()
    w = torch.arange(1., r.numel() + 1).view(r.shape)
    (r * w).sum().backward()
    print(f"{name:<26}{str(tuple(r.shape)):<12}{r.grad_fn.name():<24}{x.grad.int().tolist()}")
y = torch.zeros(3, 4)
idx = torch.tensor([0, 2])
y[idx] = m[:2]
y[1, 1:3] = x[:2] * 10
y[:, 0] += x[3]
y[y > 30] = 0.0
print(y)
x.grad = None
y.sum().backward()
print(x.grad.int().tolist(), y.grad_fn)
z = torch.zeros(4).index_put((torch.tensor([1, 1, 3]),), x[:3], accumulate=True)
print(z, z.grad_fn)
for bad in (lambda: m[3], lambda: m[0, 4], lambda: m[[0, 5]], lambda: m[0, 0, 0], lambda: m[torch.tensor([1.0])], lambda: m[torch.ones(2, dtype=torch.bool)], lambda: m["a"], lambda: m[1.5], lambda: m[::-1], lambda: x[torch.tensor([True] * 3)], lambda: m.gather(1, torch.tensor([[4]])), lambda: m.index_select(0, torch.tensor([[0]]))):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, "|", e)
