# manual_seed, generators and how draws follow each other
import torch

torch.manual_seed(0)
a = torch.rand(2)
b = torch.rand(2)
torch.manual_seed(0)
print(torch.equal(a, torch.rand(2)), torch.equal(b, torch.rand(2)))
print(torch.randint(0, 10, (5,)), torch.randperm(5), torch.randn(2, 3))
g = torch.Generator().manual_seed(7)
print(torch.rand(2, generator=g), g.initial_seed())
state = torch.get_rng_state()
x = torch.randn(1)
torch.set_rng_state(state)
print(torch.equal(x, torch.randn(1)))
print(torch.normal(torch.zeros(2), torch.ones(2)), torch.bernoulli(torch.tensor([0.2, 0.8])), torch.empty(2).uniform_(5, 6))
print(torch.multinomial(torch.tensor([0.1, 0.3, 0.6]), 2), torch.empty(2).exponential_(), torch.rand_like(a))
print(torch.initial_seed())
