# Generators: states as tensors, fork_rng, clones; samplers that fill a tensor in place
import torch

g = torch.Generator().manual_seed(3)
state = g.get_state()
print(type(state), state.dtype, state.shape, state[:4])
first = torch.rand(3, generator=g)
g.set_state(state)
print(torch.equal(first, torch.rand(3, generator=g)), g.initial_seed(), g.device)
twin = g.clone_state()
print(torch.randn(2, generator=g), torch.randn(2, generator=twin))
torch.manual_seed(0)
print(torch.rand(1))
with torch.random.fork_rng():
    torch.manual_seed(5)
    print(torch.rand(1))
print(torch.rand(1), torch.random.initial_seed())
saved = torch.get_rng_state()
a = torch.randn(2)
torch.set_rng_state(saved)
print(torch.equal(a, torch.randn(2)), torch.random.get_rng_state().numel())
t = torch.empty(5)
print(t.exponential_(2.0), t.geometric_(0.3), t.cauchy_(1.0, 2.0), t.log_normal_(0.5, 0.3))
print(torch.empty(20).exponential_(generator=g), torch.empty(3, dtype=torch.float64).cauchy_())
print(torch.empty(2, 3).t().normal_(), torch.empty(4, dtype=torch.int64).geometric_(0.2))
for f in (lambda: g.set_state(torch.zeros(3)), lambda: g.set_state(3), lambda: torch.set_rng_state(torch.zeros(5, dtype=torch.uint8)), lambda: t.exponential_(-1.0), lambda: t.geometric_(1.5)):
    try:
        f()
    except (TypeError, RuntimeError) as e:
        print(type(e).__name__, e)
x = torch.ones(3, requires_grad=True)
y = x * 2
y.exponential_()
print(y.grad_fn)
y.sum().backward()
print(x.grad)
