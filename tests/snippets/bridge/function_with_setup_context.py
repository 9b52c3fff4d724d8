# Functions with setup_context
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable
class E(Function):
    @staticmethod
    def forward(x): return x.exp()
    @staticmethod
    def setup_context(ctx, inputs, output): ctx.save_for_backward(output)
    @staticmethod
    def backward(ctx, g): return g * ctx.saved_tensors[0]
x = torch.tensor(1., requires_grad=True); y = E.apply(x); y.backward(); print(x.grad)
class S(Function):
    @staticmethod
    def forward(ctx, x):
        m = x > 0; ctx.mark_non_differentiable(m); ctx.save_for_backward(m); return x.clamp(min=0), m
    @staticmethod
    @once_differentiable
    def backward(ctx, g, gm): return g * ctx.saved_tensors[0]
z, m = S.apply(torch.tensor([-1., 2.], requires_grad=True)); print(z, m, m.requires_grad)
def relu(x): return S.apply(x)[0]
print(relu(torch.tensor([3.], requires_grad=True)))
class N(torch.nn.Module):
    def forward(self, x): return E.apply(x)
print(N()(torch.tensor(0.)))
print(S.__name__, S, y.grad_fn.__class__.__name__)
S()
