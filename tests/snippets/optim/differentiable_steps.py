# Gradients through optimizer steps: a learning rate that is learned, an inner loop of SGD, Adam and AdamW
import torch


def graph(fn, depth=3):
    if fn is None or depth == 0:
        return "-"
    return fn.name() + "(" + ", ".join(graph(n, depth - 1) for n, _ in fn.next_functions) + ")"


x = torch.tensor([1.0, 2.0], requires_grad=True)
for make in (
    lambda p: torch.optim.SGD(p, lr=0.1, differentiable=True),
    lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01, differentiable=True),
    lambda p: torch.optim.Adam(p, lr=0.1, weight_decay=0.1, differentiable=True),
    lambda p: torch.optim.AdamW(p, lr=0.1, maximize=True, differentiable=True),
):
    w = x.clone()
    w.retain_grad()
    optimizer = make([w])
    w.grad = (x * 3).clone() * torch.tensor([1.0, -1.0])
    optimizer.step()
    w.grad = x * x
    optimizer.step()
    print(type(optimizer).__name__, w, w._version, graph(w.grad_fn))
    x.grad = None
    w.pow(2).sum().backward()
    print(x.grad)

lr = torch.tensor(0.1, requires_grad=True)
start = torch.tensor([3.0, -2.0], requires_grad=True)
for epoch in range(3):
    weights = start.clone()
    weights.retain_grad()
    inner = torch.optim.SGD([weights], lr=lr, differentiable=True)
    weights.grad = 2 * start
    inner.step()
    loss = (weights**2).sum()
    lr.grad = None
    loss.backward()
    print(f"{loss.item():.5f} {lr.grad.item():.5f}")
    with torch.no_grad():
        lr -= 0.001 * lr.grad
adapted = start.clone()
adapted.retain_grad()
inner = torch.optim.SGD([adapted], lr=0.1, momentum=0.5, differentiable=True)
for step in range(3):
    adapted.grad = 2 * adapted  # the gradient of the sum of squares; autograd.grad would have saved what step() changes
    inner.step()
(adapted**2).sum().backward()
print(adapted, start.grad)
leaf = torch.ones(2, requires_grad=True)
optimizer = torch.optim.SGD([leaf], lr=0.1, differentiable=True)
leaf.sum().backward()
try:
    optimizer.step()
except RuntimeError as e:
    print(e)
