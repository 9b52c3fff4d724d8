# Optimizers of one's own on lists of tensors: torch._foreach_add_ and its kin
import torch


class Momentum(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1, beta=0.9, clip=1.0):
        super().__init__(params, {"lr": lr, "beta": beta, "clip": clip})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            grads = [p.grad for p in params]
            norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(grads)))
            torch._foreach_mul_(grads, min(1.0, group["clip"] / (norm.item() + 1e-6)))
            buffers = [self.state[p].setdefault("buffer", torch.zeros_like(p)) for p in params]
            torch._foreach_mul_(buffers, group["beta"])
            torch._foreach_add_(buffers, grads)
            torch._foreach_add_(params, buffers, alpha=-group["lr"])


class Adaptive(torch.optim.Optimizer):
    def __init__(self, params, lr=0.05):
        super().__init__(params, {"lr": lr})
        self.steps = 0

    @torch.no_grad()
    def step(self):
        self.steps += 1
        for group in self.param_groups:
            params = group["params"]
            grads = [p.grad for p in params]
            means = [self.state[p].setdefault("mean", torch.zeros_like(p)) for p in params]
            squares = [self.state[p].setdefault("square", torch.zeros_like(p)) for p in params]
            torch._foreach_lerp_(means, grads, 0.1)
            torch._foreach_mul_(squares, 0.99)
            torch._foreach_addcmul_(squares, grads, grads, value=0.01)
            scales = torch._foreach_sqrt(torch._foreach_div(squares, 1 - 0.99**self.steps))
            torch._foreach_add_(scales, 1e-8)
            torch._foreach_addcdiv_(params, means, scales, -group["lr"] / (1 - 0.9**self.steps))


torch.manual_seed(0)
x, y = torch.randn(16, 3), torch.randn(16, 1)
for kind in Momentum, Adaptive:
    torch.manual_seed(1)
    model = torch.nn.Linear(3, 1)
    optimizer = kind(model.parameters())
    for _ in range(5):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.4f}", model.weight, model.bias)

a = [torch.ones(2), torch.full((3,), 2.0)]
b = [torch.full((2,), 3.0), torch.full((3,), 4.0)]
print(torch._foreach_add(a, [1.0, 2.0]), torch._foreach_sub(a, b, alpha=2), torch._foreach_mul(a, torch.tensor(3.0)))
print(torch._foreach_norm(b, 1), torch._foreach_norm(b, float("inf")), torch._foreach_max(b), torch._foreach_pow(2, a))
print(torch._foreach_maximum(a, b), torch._foreach_clamp_max(b, 3.5), torch._foreach_reciprocal(b))
print(torch._foreach_addcmul(a, b, b, [1.0, 2.0]), torch._foreach_addcdiv(a, b, b, torch.tensor([1.0, 2.0])))
print(torch._foreach_lerp(a, b, [0.5, 0.25]), torch._foreach_exp(torch._foreach_neg(a)))
print(torch._foreach_copy_(a, b), torch._foreach_zero_(b), a, b)


def attempt(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: torch._foreach_add(a, b[:1]))
attempt(lambda: torch._foreach_sqrt([]))
attempt(lambda: torch._foreach_mul(a, [1.0]))
attempt(lambda: torch._foreach_add_([torch.ones(2, requires_grad=True)], 1))
attempt(lambda: torch._foreach_add([torch.ones(2)], [torch.ones(3)]))
p = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)]
torch.stack([t.sum() for t in torch._foreach_mul(torch._foreach_exp(p), p)]).sum().backward()
print([t.grad for t in p])
