# register_multi_grad_hook in mode all and any; hooks on shared parameters
import torch
a, b, c = (torch.tensor(float(i), requires_grad=True) for i in (1, 2, 3))
d = a * b; e = b * c
log = []
h = torch.autograd.graph.register_multi_grad_hook((a, d, e), lambda gs: log.append([None if g is None else g.item() for g in gs]))
h2 = torch.autograd.graph.register_multi_grad_hook([b, c], lambda g: log.append(("any", g.item())), mode="any")
(d + e).backward(retain_graph=True)
(d * 2).backward(retain_graph=True)
print(log); log.clear(); h.remove()
(d + e).backward(); print(log); h2.remove()
print(a.grad, b.grad, c.grad)
try: torch.autograd.graph.register_multi_grad_hook((a,), lambda g: g, mode="some")
except ValueError as ex: print(ex)
