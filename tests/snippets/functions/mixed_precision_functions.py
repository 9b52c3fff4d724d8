# Functions under autocast: custom_fwd casts what comes in, custom_bwd runs in the region that forward ran in
import torch


class Product(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, a, b, scale):
        print("forward", a.dtype, b.dtype, torch.is_autocast_enabled("cpu"))
        ctx.save_for_backward(a, b)
        ctx.scale = scale
        return a @ b * scale

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        print("backward", g.dtype, torch.is_autocast_enabled("cpu"))
        return g @ b.T * ctx.scale, a.T @ g * ctx.scale, None


class InRegion(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, a):
        print("forward", torch.is_autocast_enabled("cpu"))
        ctx.save_for_backward(a)
        return a @ a

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        made = g.float() @ a.T
        print("backward", torch.is_autocast_enabled("cpu"), made.dtype)
        return made.float() + (a.T @ g.float()).float()


torch.manual_seed(0)
x = torch.randn(2, 3, requires_grad=True)
w = torch.randn(3, 3, requires_grad=True)
with torch.autocast("cpu", dtype=torch.bfloat16):
    h = x @ w
    out = Product.apply(h, w, 2.0)
    print(h.dtype, out.dtype)
out.sum().backward()
print(w.grad.dtype, x.grad.dtype)
Product.apply(x.double(), w.double(), 1.0).sum().backward()

w.grad = None
with torch.autocast("cpu"):
    out = InRegion.apply(w)
print(out.dtype)
out.sum().backward()
InRegion.apply(w).sum().backward()
print(w.grad.dtype)
for wrong in (3, None):
    try:
        torch.amp.custom_fwd(device_type=wrong)
    except ValueError as error:
        print(error)
try:
    torch.amp.custom_bwd(lambda ctx, g: g)
except TypeError as error:
    print(error)
