# A tensor hook that replaces the gradient, one that only looks, and removal
import torch

v = torch.tensor([0., 0., 0.], requires_grad=True)
seen = []
h1 = v.register_hook(lambda grad: grad * 2)
h2 = v.register_hook(lambda grad: seen.append(grad.clone()))
v.backward(torch.tensor([1., 2., 3.]))
print(v.grad, seen)
h1.remove()
v.grad = None
v.backward(torch.tensor([1., 2., 3.]))
print(v.grad, len(seen))
h2.remove()
print(type(h1).__name__)
