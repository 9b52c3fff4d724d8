# Autograd does not see ops on inference tensors alone, and sees those with another tensor beside them.
import torch

with torch.inference_mode():
    c = torch.ones(1, 2, 3, requires_grad=True)
    print(c.requires_grad, c.view(-1).requires_grad, (c * 2).requires_grad)
    print(c.add_(1).requires_grad, c.resize_(1, 2).requires_grad)

with torch.inference_mode():
    c = torch.ones(1, 2, 3, requires_grad=True)
s = torch.ones(1, 2, 3, requires_grad=True)
k = torch.ones(1, 2, 3)


def told(name, function):
    try:
        r = function()
        print(name, r.requires_grad, type(r.grad_fn).__name__, r.is_inference(), r._is_view(), r.is_leaf)
    except RuntimeError as error:
        print(name, error)


told("view", lambda: c.view(-1))
told("row", lambda: c[0])
told("unbind", lambda: c.unbind(0)[0])
told("expand", lambda: c.expand(2, 2, 3))
told("c + 1", lambda: c + 1)
told("c * c", lambda: c * c)
told("exp", lambda: c.exp())
told("sum", lambda: c.sum())
told("cat", lambda: torch.cat([c, c]))
told("cat with k", lambda: torch.cat([c, k]))
told("c + s", lambda: c + s)
told("c * s", lambda: c * s)
told("c * k", lambda: c * k)
told("c + k", lambda: c + k)
told("backward", lambda: c.sum().backward())
out = c.add(s)
out.backward(torch.ones_like(out))
print(c.grad, s.grad)
