# inference_mode against no_grad against detach: flags, versions, views and errors
import torch
x = torch.ones(2, requires_grad=True)
with torch.no_grad(): a = x * 2; va = x[:1]
with torch.inference_mode(): b = x * 2; vb = x[:1]; c = torch.ones(2); c += 1; print(c.requires_grad, c.is_inference(), x.is_inference())
d = (x * 2).detach()
for n, t in dict(a=a, b=b, d=d, va=va, vb=vb, c=c).items(): print(n, t.requires_grad, t.is_inference(), t.is_leaf, t._is_view() if not t.is_inference() else "-")
for f in (lambda: a.requires_grad_().sum().backward(), lambda: b + x, lambda: (b * x), lambda: b.add_(1), lambda: b._version, lambda: b.clone().requires_grad_(), lambda: va.mul_(2), lambda: vb.mul_(2), lambda: b[0], lambda: b.view(2, 1).is_inference(), lambda: torch.cat([b, x]).requires_grad, lambda: b.detach().is_inference(), lambda: b.numpy(), lambda: torch.nn.Parameter(b), lambda: x.add(b).sum().backward()):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:170])
with torch.inference_mode(False): print(torch.is_inference_mode_enabled())
@torch.inference_mode()
def f(v): return v * 2, torch.is_inference_mode_enabled()
print(f(x)[0].is_inference(), f(x)[1], torch.is_inference(a), f.__name__)
