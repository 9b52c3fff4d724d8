# Gradients through the steps of RMSprop, Adagrad, Adadelta, Rprop, ASGD, Adamax, NAdam and RAdam
import torch


def graph(fn, depth=3):
    if fn is None or depth == 0:
        return "-"
    return fn.name() + "(" + ", ".join(graph(n, depth - 1) for n, _ in fn.next_functions) + ")"


x = torch.tensor([1.0, 2.0], requires_grad=True)
optim = torch.optim
for make in (
    lambda p: optim.RMSprop(p, lr=0.1, differentiable=True),
    lambda p: optim.RMSprop(p, lr=0.1, momentum=0.9, centered=True, weight_decay=0.1, differentiable=True),
    lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.1, initial_accumulator_value=0.5, differentiable=True),
    lambda p: optim.Adadelta(p, lr=0.5, weight_decay=0.1, differentiable=True),
    lambda p: optim.Rprop(p, lr=0.1, differentiable=True),
    lambda p: optim.ASGD(p, lr=0.1, t0=0, lambd=0.1, maximize=True, differentiable=True),
    lambda p: optim.Adamax(p, lr=0.1, weight_decay=0.1, differentiable=True),
    lambda p: optim.NAdam(p, lr=0.1, differentiable=True),
    lambda p: optim.NAdam(p, lr=0.1, weight_decay=0.1, decoupled_weight_decay=True, differentiable=True),
    lambda p: optim.RAdam(p, lr=0.1, betas=(0.9, 0.5), differentiable=True),
    lambda p: optim.RAdam(p, lr=0.1, betas=(0.9, 0.9), weight_decay=0.1, differentiable=True),
):
    w = x.clone()
    w.retain_grad()
    optimizer = make([w])
    for step in range(7):
        w.grad = (x * 3 + step) * torch.tensor([1.0, -1.0])
        optimizer.step()
        if step == 1:
            print(type(optimizer).__name__, w, w._version, graph(w.grad_fn))
    x.grad = None
    try:
        w.pow(2).sum().backward()
    except RuntimeError as error:
        print(error)
    print(w, x.grad, list(optimizer.state[w]))
