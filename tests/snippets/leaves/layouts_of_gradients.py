# A gradient is laid out as its leaf is, with create_graph too
import torch

for graph in False, True:
    p = torch.ones(2, 3).t().requires_grad_()
    (p * 2).sum().backward(create_graph=graph)
    print(p.grad.stride())
    p = torch.ones(4, 2, 3).permute(2, 0, 1).requires_grad_()
    p.sin().sum().backward(create_graph=graph)
    print(p.grad.stride())
    p = torch.ones(2, 3, requires_grad=True)
    (p.t() * torch.ones(3, 2)).sum().backward(create_graph=graph)
    print(p.grad.stride())
    given = torch.ones(3, 2).t()
    p = torch.ones(2, 3, requires_grad=True)
    torch.autograd.backward(p * 1, given, create_graph=graph)
    print(p.grad.stride(), p.grad is given)
    s = torch.tensor(2.0, requires_grad=True)
    (s * 3).backward(create_graph=graph)
    print(s.grad)
