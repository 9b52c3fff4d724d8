# retain_grad on intermediate views, after in-place, twice, in no_grad; grad of slices; hooks versus retain_grad
import torch
x = torch.arange(4., requires_grad=True); y = x * 2; v = y[1:3]; v.retain_grad(); y.retain_grad(); (v ** 2).sum().backward(); print(v.grad, y.grad, x.grad); x.grad = None
y = x * 2; y.retain_grad(); y.mul_(3); y.sum().backward(); print(y.grad, x.grad); x.grad = None
y = x * 2; h = []; y.register_hook(lambda g: h.append(g.clone())); y.retain_grad(); z = y.view(2, 2); z.retain_grad(); z[0].sum().backward(); print(h, y.grad, z.grad, z.retains_grad)
with torch.no_grad():
    try: (x * 2).retain_grad()
    except RuntimeError as e: print(e)
s = x.clone(); s.retain_grad(); s[0] = 5; s.sum().backward(); print(s.grad, x.grad)
