# ctx.needs_input_grad saves work
import torch

class MyLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight)
        ctx.has_bias = bias is not None
        output = input.mm(weight.t())
        return output + bias if bias is not None else output

    @staticmethod
    def backward(ctx, grad_output):
        input, weight = ctx.saved_tensors
        print("needs:", ctx.needs_input_grad)
        grads = [None, None, None]
        if ctx.needs_input_grad[0]:
            grads[0] = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grads[1] = grad_output.t().mm(input)
        if ctx.has_bias and ctx.needs_input_grad[2]:
            grads[2] = grad_output.sum(0)
        return tuple(grads)

x = torch.tensor([[1.0, 2.0]])
w = torch.tensor([[0.5, -1.0], [2.0, 0.0], [1.0, 1.0]], requires_grad=True)
b = torch.zeros(3, requires_grad=True)
MyLinear.apply(x, w, b).pow(2).sum().backward()
print(w.grad)
print(b.grad)
out = MyLinear.apply(x.requires_grad_(), w.detach())
print(out.grad_fn, len(out.grad_fn.next_functions))
out.sum().backward()
print(x.grad)
