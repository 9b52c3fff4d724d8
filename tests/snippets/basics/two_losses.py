# Two losses that share a trunk: together and one after the other
import torch

def losses(w):
    hidden = torch.relu(w * torch.tensor([1.0, -1.0, 2.0]))
    return hidden.sum(), (hidden ** 2).mean()

w = torch.tensor([0.5, 0.5, 0.5], requires_grad=True)
first, second = losses(w)
first.backward(retain_graph=True)
print("first only ", w.grad)
second.backward()
print("then second", w.grad)

w2 = w.detach().clone().requires_grad_()
total = sum(losses(w2))
total.backward()
print("sum        ", w2.grad)

w3 = w.detach().clone().requires_grad_()
torch.autograd.backward(losses(w3))
print("backward([])", w3.grad)
