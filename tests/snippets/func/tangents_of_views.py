# The tangent of a view is a view of the tangent; what has no forward mode says so, and no_grad records nothing of it.
import torch
import torch.autograd.forward_ad as fwAD

base, tangent = torch.arange(6.0).view(2, 3), torch.ones(2, 3)
with fwAD.dual_level():
    dual = fwAD.make_dual(base, tangent)
    for view in (dual.t(), dual[0], dual.unbind(1)[2], dual.unsqueeze(0), dual.view(-1), dual.reshape(3, 2)):
        found = fwAD.unpack_dual(view).tangent
        print(found.shape, found.stride(), found._is_view(), found.data_ptr() == tangent.data_ptr())
    found = fwAD.unpack_dual(dual.t()).tangent
    found *= 2
    print(tangent, fwAD.unpack_dual(dual).tangent, fwAD.unpack_dual(dual * 1).tangent)
    print(fwAD.unpack_dual(dual.t().contiguous().view(-1)).tangent)

    for function in (torch.igamma, torch.igammac, torch.special.zeta):
        try:
            function(dual, dual)
        except NotImplementedError as error:
            print(error)

with fwAD.dual_level():
    x = torch.ones(2, requires_grad=True)
    v = torch.ones(2, requires_grad=True)
    dual = fwAD.make_dual(x, v)
    print(fwAD.unpack_dual(dual * 3).tangent.requires_grad, fwAD.unpack_dual(dual[0]).tangent.requires_grad)
    with torch.no_grad():
        print(fwAD.unpack_dual(dual * 3).tangent, fwAD.unpack_dual(dual[0]).tangent)

with torch.inference_mode(), fwAD.dual_level():
    x, v = torch.ones(2), torch.ones(2)
    dual = fwAD.make_dual(x, v)
    print(dual._is_view(), dual.is_inference())
    dual += 1
    print(x)


class Narrowed(torch.autograd.Function):
    @staticmethod
    def forward(x, flag):
        return x.narrow(0, 0, 2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.flag = inputs[1]

    @staticmethod
    def jvp(ctx, tangent, _):
        found = tangent.narrow(0, 0, 2)
        return found if ctx.flag == "view" else found.clone().view_as(found)


with fwAD.dual_level():
    dual = fwAD.make_dual(torch.ones(4, 4), torch.ones(4, 4))
    for source in (dual, dual.view_as(dual)):
        for flag in ("view", "other"):
            try:
                print(fwAD.unpack_dual(Narrowed.apply(source, flag)).tangent.shape)
            except RuntimeError as error:
                print(error)
