# Print the whole graph as an indented tree
import torch

def tree(fn, depth=0):
    if fn is None:
        print("  " * depth + "None")
        return
    label = type(fn).__name__
    if hasattr(fn, "variable"):
        label += f" {tuple(fn.variable.shape)}"
    print("  " * depth + label)
    for next_fn, index in fn.next_functions:
        tree(next_fn, depth + 1)

w = torch.ones(2, 3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
x = torch.ones(4, 2)
loss = torch.nn.functional.mse_loss(torch.relu(x @ w + b), torch.ones(4, 3))
tree(loss.grad_fn)
