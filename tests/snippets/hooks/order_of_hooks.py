# In which order do hooks run?
import torch

a = torch.tensor(2.0, requires_grad=True)
b = a * 3
log = []
b.register_hook(lambda g: log.append(f"tensor 1: {g.item()}"))
b.retain_grad()
b.register_hook(lambda g: (log.append(f"tensor 2: {g.item()}"), g * 10)[1])
b.grad_fn.register_prehook(lambda gs: log.append(f"node pre: {gs[0].item()}"))
b.grad_fn.register_hook(lambda gin, gout: log.append(f"node: in {[None if g is None else g.item() for g in gin]} out {gout[0].item()}"))
a.register_hook(lambda g: log.append(f"leaf: {g.item()}"))
a.register_post_accumulate_grad_hook(lambda p: log.append(f"post accumulate: {p.grad.item()}"))
(b ** 2).backward()
print("\n".join(log))
print("b.grad", b.grad, "a.grad", a.grad)
