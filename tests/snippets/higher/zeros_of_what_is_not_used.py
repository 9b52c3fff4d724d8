# Zeros for what is not used can be differentiated, too
import torch


def b5():
    x = torch.ones(2, requires_grad=True); z = torch.ones(3, requires_grad=True)
    g = torch.autograd.grad((x*x).sum(), [x, z], create_graph=True, allow_unused=True, materialize_grads=True)
    print(g)

b5()
