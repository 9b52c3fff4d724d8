# Functions whose backward is itself a Function; gradients through both and a check
import torch
torch.manual_seed(0)
class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b): ctx.save_for_backward(a, b); return a * b
    @staticmethod
    def backward(ctx, g): return MulBack.apply(g, *ctx.saved_tensors)
class MulBack(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, a, b): ctx.save_for_backward(g, a, b); return g * b, g * a
    @staticmethod
    def backward(ctx, da, db):
        g, a, b = ctx.saved_tensors; print("double backward", da.shape)
        return da * b + db * a, db * g, da * g
a, b = torch.tensor([2., 3.], dtype=torch.double, requires_grad=True), torch.tensor([4., 5.], dtype=torch.double, requires_grad=True)
y = Mul.apply(a, b); ga, gb = torch.autograd.grad(y.pow(2).sum(), (a, b), create_graph=True); print(ga, ga.grad_fn, ga.grad_fn is gb.grad_fn, gb.output_nr)
h = torch.autograd.grad((ga * gb).sum(), (a, b)); print(h)
import io, contextlib
with contextlib.redirect_stdout(io.StringIO()): ok = torch.autograd.gradgradcheck(Mul.apply, (a, b))
print(ok)
