# Anomaly mode tells of a gradient of a gradient which op it came from, and nodes know the one that made them
import warnings
import torch


def norm(v):
    return (v * v).sum().sqrt()


with warnings.catch_warnings(record=True) as told, torch.autograd.detect_anomaly():
    warnings.simplefilter("always")
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    g, = torch.autograd.grad(x.sqrt().sum() * 2, x, create_graph=True)
    try:
        (g * torch.tensor([0.0, 1.0])).sum().backward()
    except RuntimeError as e:
        print(e)
    y = (x**3).sum()
    g, = torch.autograd.grad(y, x, create_graph=True)
    print(sorted(g.grad_fn.metadata), g.grad_fn.metadata["parent_"] is y.grad_fn.next_functions[0][0])
    print(sorted(y.grad_fn.metadata), sorted((g * 2).grad_fn.metadata))
    try:
        (norm(g * 0) * 1).backward()
    except RuntimeError as e:
        print(e)
for warning in told:
    text = str(warning.message)
    if "Error detected" in text or "Previous" in text:
        print(text.strip().split(". Traceback")[0])
