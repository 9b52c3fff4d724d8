# Views of views: chains of select, slice, transpose, diagonal, unfold with writes at each level
import torch
x = torch.zeros(3, 4, requires_grad=True); y = x * 1; a = y[1:]; b = a.t(); c = b[2]; d = y.view(2, 6)[0]
c.add_(1); print(y.detach(), y.grad_fn, a.grad_fn, b.grad_fn, c.grad_fn, d.grad_fn.name(), y._version)
d[::2] = 5; print(y.detach(), c, y._version == c._version); y.diagonal().mul_(2); y[:, -1].copy_(torch.arange(3.)); (y * torch.arange(12.).view(3, 4)).sum().backward(); print(x.grad)
z = (x * 1).squeeze().unsqueeze(0); z[0][0].zero_(); print(z.grad_fn.name(), z._base is not None); w = (x * 1)[[0, 1]]; w[0] = 1; print(w._base, w.grad_fn.name()); e = (x * 1).expand(2, 3, 4); 
try: e.add_(1)
except RuntimeError as ex: print(str(ex)[:60])
r = (x * 1).reshape(4, 3); r.add_(1); s = (x.t() * 1).reshape(-1) if False else (x * 1).t().reshape(-1); s.add_(1); print(r.grad_fn.name(), s.grad_fn.name(), s._is_view())
v1 = (x * 1).unbind(0); 
try: v1[0].mul_(2)
except RuntimeError as ex: print(str(ex)[:70])
ch = (x * 1).narrow(1, 0, 2); ch.mul_(3); print(ch.grad_fn.name(), ch.grad_fn.next_functions[0][0].name()); im = torch.zeros(2, dtype=torch.cfloat); im.real[0] = 3; im.imag.fill_(1); print(im); vr = torch.view_as_real(im); vr[1, 0] = 7; print(im)
