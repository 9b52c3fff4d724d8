# LBFGS: complex parameters as pairs of real ones, and what it remembers
import torch


def report(optimizer):
    for state in optimizer.state.values():
        for name, value in state.items():
            if name == "al":
                value = [None if v is None else round(float(v), 3) for v in value]
            elif name == "prev_loss":
                value = round(value, 3)
            elif isinstance(value, list):
                value = len(value)
            elif name == "prev_flat_grad":
                value = [round(v, 2) for v in value.tolist()]
            print(name, type(value).__name__, value)


def minimise(params, loss, steps=2, **options):
    optimizer = torch.optim.LBFGS(params, **options)

    def closure():
        optimizer.zero_grad()
        out = loss()
        out.backward()
        return out

    print(list(optimizer.state))
    for _ in range(steps):
        print(f"{optimizer.step(closure).item():.4f}")
    report(optimizer)
    return optimizer


z = torch.tensor([1 + 2j, -1j], requires_grad=True)
target = torch.tensor([0.5 - 1j, 2 + 0.5j])
minimise([z], lambda: ((z - target).abs() ** 4).sum(), max_iter=3, history_size=3)
print(z)

matrix = torch.tensor([[1 + 1j, 2.0], [0.0, -1j]], requires_grad=True)
x = torch.tensor([2.0, 1.0, -1.0], requires_grad=True)
minimise([x, matrix], lambda: (matrix * matrix.conj()).real.sum() + (x ** 4).sum(), max_iter=3, history_size=4,
         line_search_fn="strong_wolfe")
print(x, matrix)

scalar = torch.tensor(1 - 1j, requires_grad=True)
unused = torch.ones(2, dtype=torch.complex64, requires_grad=True)
minimise([scalar, unused], lambda: (scalar - 3).abs() ** 3, max_iter=3, history_size=2)
print(scalar, unused)

w = torch.tensor([3.0, -2.0], requires_grad=True)
kept = minimise([w], lambda: ((w - 1) ** 2 * torch.tensor([1.0, 5.0])).sum(), steps=3, max_iter=3, history_size=2)
copied = torch.optim.LBFGS([w], max_iter=3, history_size=2)
copied.load_state_dict(kept.state_dict())
print(list(copied.state_dict()["state"][0]), w)
first = minimise([w], lambda: ((w - 4) ** 2).sum(), steps=1, max_iter=1, history_size=2)
