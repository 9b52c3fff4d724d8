# gradcheck finds a wrong backward and prints both Jacobians
import torch
from torch.autograd import gradcheck, gradgradcheck
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x); return x.sin()
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * x.cos() * 1.5
x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
try: gradcheck(Wrong.apply, (x,))
except Exception as e: print(type(e).__name__, e)
print(gradcheck(Wrong.apply, (x,), raise_exception=False), gradcheck(torch.sin, x), gradgradcheck(torch.sin, x))
try: gradcheck(torch.sin, torch.ones(2))
except ValueError as e: print(e)
try: gradcheck(torch.sin, torch.ones(2, requires_grad=True))
except Exception as e: print(type(e).__name__, str(e)[:300])
print(gradcheck(lambda a, b: (a @ b, a.sum()), (torch.rand(2, 2, dtype=torch.double, generator=torch.Generator().manual_seed(0)).requires_grad_(), torch.eye(2, dtype=torch.double, requires_grad=True)), eps=1e-6, atol=1e-4))
class NoGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): return None
try: gradcheck(NoGrad.apply, x)
except Exception as e: print(type(e).__name__, e)
print(gradcheck(lambda t: t.detach(), x, raise_exception=False))
