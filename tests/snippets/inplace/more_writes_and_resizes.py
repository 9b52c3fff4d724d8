# More in-place: out=, +=, masked_fill_, index_copy_, resize_, swap, zero_ on parameters, clamp_ within no_grad, version counters
import torch
w = torch.tensor([1., -2., 3.], requires_grad=True)
y = w.clone(); y += 1; y *= w; y[0] = 0; y.masked_fill_(y < 0, .5); y.clamp_(max=5); print(y, y._version, y.grad_fn); y.sum().backward(); print(w.grad)
o = torch.empty(3); torch.add(torch.ones(3), 2, out=o); print(o); 
try: torch.mul(w, 2, out=o)
except RuntimeError as e: print(e)
try: torch.add(torch.ones(3), 1, out=torch.empty(2)); 
except RuntimeError as e: print(e)
z = torch.arange(6.).view(2, 3); z.t_(); print(z.shape, z.stride()); z.unsqueeze_(0).squeeze_(0); z.transpose_(0, 1); z.swapaxes_(0, 1); print(z); z.resize_(2, 2); print(z)
a = torch.ones(3); b = a; a = a + 1; print(b); b += 1; c = b; c[0] = 9; print(a, b, a is b, c is b)
l = [torch.zeros(1)] * 3; l[0] += 1; print(l)
p = torch.nn.Parameter(torch.ones(2)); v = p._version
with torch.no_grad(): p.zero_(); p.add_(torch.ones(2)); p.copy_(torch.tensor([3., 4.])); p[0].fill_(7.)
print(p, p._version - v); q = p * p
with torch.no_grad(): p += 1
try: q.sum().backward()
except RuntimeError as e: print(e)
x = torch.zeros(2, 2); x[0, :] += torch.ones(2, requires_grad=True); print(x, x.requires_grad); x.index_copy_(0, torch.tensor([1]), torch.tensor([[5., 5.]])).sum().backward()
s = torch.ones(2, requires_grad=True).sigmoid(); s.requires_grad; 
try: s.requires_grad_(False)
except RuntimeError as e: print(e)
h = torch.ones(2, requires_grad=True) * 1; h.detach_(); print(h.requires_grad, h.is_leaf, h.grad_fn); h.requires_grad_(); h.sum().backward(); print(h.grad)
