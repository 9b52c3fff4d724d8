# Which outputs of an expression require grad, and how many nodes it took
import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2)
exprs = {
    "a + b": a + b, "b * 2": b * 2, "a > 0": a > 0, "a.detach() + b": a.detach() + b, "a.long()": a.long(),
    "a.sum() * 0": a.sum() * 0, "torch.zeros_like(a)": torch.zeros_like(a), "a.new_ones(2)": a.new_ones(2),
    "a.argmax()": a.argmax(), "a[0]": a[0], "a.size(0) * b": a.size(0) * b, "torch.stack([a, b])": torch.stack([a, b]),
    "a.round()": a.round(), "torch.tensor(a.tolist())": torch.tensor(a.tolist()), "a.norm().item() * b": a.norm().item() * b,
}
for text, t in exprs.items():
    print(f"{text:25} {str(t.requires_grad):5} {t.grad_fn.name() if t.grad_fn else None}")
