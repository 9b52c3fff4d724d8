# Batched vjps, allow_unused, materialize, several outputs with their own vectors
import torch
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = x ** 2 * torch.tensor([1., 0.5, 2.])
J = torch.autograd.grad(y, x, grad_outputs=torch.eye(3), is_grads_batched=True)[0]
print(J)
u, v = x.sum(), x.prod()
print(torch.autograd.grad([u, v], [x], grad_outputs=[torch.tensor(1.), torch.tensor(10.)], retain_graph=True))
print(torch.autograd.grad((u, v), x, [None, torch.tensor(2.)]))
unused = torch.ones(2, requires_grad=True)
print(torch.autograd.grad(x.sum(), [x, unused], allow_unused=True))
print(torch.autograd.grad(x.sum(), [x, unused], materialize_grads=True))
for f in (lambda: torch.autograd.grad(x.sum(), unused), lambda: torch.autograd.grad(x * 2, x), lambda: torch.autograd.grad(x * 2, x, torch.ones(2)), lambda: torch.autograd.grad(x.sum(), []), lambda: torch.autograd.grad([], x), lambda: torch.autograd.grad(x.sum(), x, [torch.tensor(1.)] * 2), lambda: torch.autograd.grad(x.sum(), "x"), lambda: torch.autograd.grad(torch.ones(1), x), lambda: torch.autograd.grad(x.sum(), x.detach()), lambda: torch.autograd.backward(x.sum(), inputs=x.detach()), lambda: (x * 2).backward(torch.ones(3, 1)), lambda: x.sum().backward(gradient="a"), lambda: (x * 2).backward(torch.ones(3, dtype=torch.int64)), lambda: (x * 2).backward(torch.ones(3, dtype=torch.float64))):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
