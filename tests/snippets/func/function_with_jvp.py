# A Function with a jvp used by forward_ad
import torch
import torch.autograd.forward_ad as fwAD

class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, foo):
        result = torch.exp(foo)
        ctx.result = result
        return result
    @staticmethod
    def jvp(ctx, gI):
        gO = gI * ctx.result
        del ctx.result
        return gO
    @staticmethod
    def backward(ctx, g):
        return g

primal = torch.tensor([0., 1.], dtype=torch.double, requires_grad=True)
tangent = torch.ones(2, dtype=torch.double)
with fwAD.dual_level():
    dual = fwAD.make_dual(primal, tangent)
    out = Fn.apply(dual)
    print(fwAD.unpack_dual(out).tangent)
    print(fwAD.unpack_dual(dual * dual))
print(fwAD.unpack_dual)
