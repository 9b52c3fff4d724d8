# A 0-d tensor where a function takes a number: slopes, bounds, probabilities, eps; and where only a number will do.
import torch
import torch.nn.functional as F


def attempt(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])


x = torch.tensor([[-1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
for q in (torch.tensor(0.25), torch.tensor(2)):
    attempt(lambda: F.leaky_relu(x, q))
    attempt(lambda: F.leaky_relu(x, negative_slope=q, inplace=False))
    attempt(lambda: F.elu(x, alpha=q))
    attempt(lambda: F.celu(x, q))
    attempt(lambda: F.threshold(x, q, 1.0))
    attempt(lambda: F.threshold(x, 0.0, q))
    attempt(lambda: F.hardtanh(x, q, 5))
    attempt(lambda: torch.clamp(x, q, 5))
    attempt(lambda: torch.clamp(x, 0, q))
    attempt(lambda: F.huber_loss(x, x * 0, delta=q))
    attempt(lambda: F.smooth_l1_loss(x, x * 0, beta=q))
    attempt(lambda: torch.arange(q))
    attempt(lambda: torch.arange(q[None]))
    attempt(lambda: torch.full((2,), q))
    attempt(lambda: torch.full((2,), q[None]))
    attempt(lambda: F.batch_norm(x, None, None, training=True, eps=q))
torch.manual_seed(0)
print(F.dropout(torch.ones(6), torch.tensor(0.5)))
print(torch.normal(0.0, torch.tensor(0.5), (2,)), torch.normal(torch.tensor(3), 1, (2,)))

w = torch.tensor([0.5, -2.0, 4.0], requires_grad=True)
y = F.leaky_relu(w, torch.tensor(0.1)) + torch.clamp(w, torch.tensor(-1.0), 3) + w.clamp(min=0.0, max=torch.tensor(1))
print(y, torch.clamp(w, torch.tensor(-1.0), 3).grad_fn)
y.sum().backward()
print(w.grad)
