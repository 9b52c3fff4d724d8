# Several outputs, an unused one, and mark_non_differentiable
import torch

class SortWithSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, order = torch.sort(x)
        ctx.mark_non_differentiable(order)
        ctx.save_for_backward(order)
        return values, order, values.sign()

    @staticmethod
    def backward(ctx, g_values, g_order, g_sign):
        order, = ctx.saved_tensors
        print("g_values", g_values, "g_sign", g_sign)
        result = torch.zeros_like(g_values)
        result[order] = g_values
        return result

x = torch.tensor([3.0, -1.0, 2.0], requires_grad=True)
values, order, sign = SortWithSign.apply(x)
print(values.requires_grad, order.requires_grad, sign.requires_grad)
(values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(x.grad)
