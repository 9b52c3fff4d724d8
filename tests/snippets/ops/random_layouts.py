# Random numbers depend on how the tensor that takes them lies in memory
import torch
from torch.nn import functional as F
from torch.nn import init

torch.manual_seed(0)
encoder = torch.nn.Linear(4, 16)
mu, logvar = encoder(torch.ones(8, 4)).chunk(2, dim=1)
torch.manual_seed(1)
eps = torch.randn_like(mu)
print(eps.stride(), eps[0])
z = mu + eps * (0.5 * logvar).exp()
print(z.sum())

layouts = {
    "contiguous": lambda: torch.zeros(6, 4),
    "chunk": lambda: torch.zeros(6, 8).chunk(2, dim=1)[0],
    "transposed": lambda: torch.zeros(4, 6).t(),
    "transposed chunk": lambda: torch.zeros(8, 6).chunk(2)[0].t(),
    "steps": lambda: torch.zeros(12, 4)[::2],
    "repeated": lambda: torch.zeros(4).expand(6, 4),
    "channels last": lambda: torch.zeros(1, 3, 2, 4).to(memory_format=torch.channels_last),
    "size 1": lambda: torch.zeros(4, 6).t().unsqueeze(1),
    "permuted": lambda: torch.zeros(3, 4, 2).permute(2, 0, 1),
}
draws = {
    "randn_like": torch.randn_like,
    "randn_like contiguous": lambda x: torch.randn_like(x, memory_format=torch.contiguous_format),
    "rand_like": torch.rand_like,
    "randint_like": lambda x: torch.randint_like(x, 0, 10),
    "empty_like": lambda x: torch.empty_like(x).normal_(),
    "clone": lambda x: x.clone().uniform_(),
    "normal_": lambda x: x.normal_(),
    "exponential_": lambda x: x.exponential_(),
    "bernoulli_": lambda x: x.bernoulli_(0.5),
    "bernoulli_ of": lambda x: x.bernoulli_(torch.full(tuple(x.shape), 0.5)),
    "bernoulli": lambda x: torch.bernoulli(x + 0.5),
    "bernoulli p": lambda x: torch.bernoulli(x, 0.5),
    "trunc_normal_": init.trunc_normal_,
    "trunc_normal_ tail": lambda x: init.trunc_normal_(x, 0, 1, 1.5, 2),
    "xavier_normal_": init.xavier_normal_,
    "orthogonal_": init.orthogonal_,
    "sparse_": lambda x: init.sparse_(x, 0.5),
    "dropout": lambda x: F.dropout(x.clone().fill_(1.0), 0.5),
    "multinomial": lambda x: torch.multinomial(x + 1, 2),
}
for layout, make in layouts.items():
    for name, draw in draws.items():
        torch.manual_seed(5)
        try:
            drawn = draw(make())
            print(layout, name, drawn.stride(), [round(v, 4) for v in drawn.flatten()[:4].tolist()])
            print(round(torch.rand(1).item(), 4))
        except RuntimeError as error:
            print(layout, name, error)
        except ValueError as error:
            print(layout, name, error)
print(torch.empty(1, 3, 2, 2, memory_format=torch.channels_last).stride())
print(torch.zeros_like(torch.ones(4).expand(3, 4)).stride(), torch.ones_like(torch.ones(4, 6).t()).stride())
