# make_functional and combine_state_for_ensemble of functorch
import torch
import torch.nn as nn
from functorch import combine_state_for_ensemble, grad, jacrev, make_functional, make_functional_with_buffers, vmap

torch.manual_seed(0)
x, y = torch.randn(4, 2), torch.randn(4, 1)


def per_sample():
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    f, params = make_functional(net)
    print(f, [p.requires_grad for p in params], params[0] is net[0].weight)

    def loss(params, x, y):
        return ((f(params, x) - y) ** 2).mean()

    loss(params, x, y).backward()
    print(params[0].grad, net[0].weight.grad)
    print([g.shape for g in vmap(grad(loss), (None, 0, 0))(params, x, y)])
    print([j.shape for j in jacrev(f)(params, x)])
    inner = [p - 0.1 * g for p, g in zip(params, torch.autograd.grad(loss(params, x, y), params, create_graph=True))]
    loss(inner, x, y).backward()
    return params


def with_buffers():
    f, params, buffers = make_functional_with_buffers(nn.BatchNorm1d(2), disable_autograd_tracking=True)
    print(f.param_names, f.buffer_names, [p.requires_grad for p in params], buffers)
    print(f(params, buffers, x), buffers[2])
    try:
        make_functional(nn.BatchNorm1d(2))
    except RuntimeError as e:
        print(e)


def ensemble():
    f, params, buffers = combine_state_for_ensemble([nn.Linear(2, 1) for _ in range(3)])
    print([(p.shape, p.requires_grad) for p in params], buffers, vmap(f, (0, 0, None))(params, buffers, x).squeeze())
    for models in ([], [nn.Linear(1, 1), nn.ReLU()], [nn.Linear(1, 1), nn.Linear(1, 1).eval()]):
        try:
            combine_state_for_ensemble(models)
        except RuntimeError as e:
            print(e)


params = per_sample()
with_buffers()
ensemble()
