# MAML: differentiate through one step of gradient descent
import torch

def task_loss(w, b, x, y):
    return ((w * x + b - y) ** 2).mean()

w = torch.tensor(0.5, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
support = torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0])
query = torch.tensor([3.0]), torch.tensor([6.0])
inner = task_loss(w, b, *support)
gw, gb = torch.autograd.grad(inner, (w, b), create_graph=True)
fast_w, fast_b = w - 0.1 * gw, b - 0.1 * gb
outer = task_loss(fast_w, fast_b, *query)
outer.backward()
print(f"inner {inner.item():.4f} outer {outer.item():.4f}")
print("second order:", w.grad, b.grad)
first_order = torch.autograd.grad(task_loss(w - 0.1 * gw.detach(), b - 0.1 * gb.detach(), *query), (w, b))
print("first order: ", *first_order)
