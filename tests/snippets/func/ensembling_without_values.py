# The tutorial's ensemble: a base model on the meta device, parameters from a stack; out_dims that fit no outputs
import copy
import torch
from torch import nn
from torch.autograd import forward_ad
from torch.func import functional_call, stack_module_state, vmap

torch.manual_seed(0)
models = [nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)) for _ in range(3)]
x = torch.randn(3, 5, 3)
params, buffers = stack_module_state(models)


def runner(model):
    base = copy.deepcopy(model).to("meta")
    return lambda params, buffers, x: functional_call(base, (params, buffers), (x,))


run = runner(models[0])
each = vmap(run)(params, buffers, x)
same = vmap(run, in_dims=(0, 0, None))(params, buffers, x[0])
print(each.shape, same.shape)
expected = torch.stack([model(batch) for model, batch in zip(models, x)])
print(torch.allclose(each, expected, atol=1e-6))
each.sum().backward()
print({name: tuple(p.grad.shape) for name, p in params.items()})
for dims in ((0,), (0, 1), (0, None)):
    try:
        print([tuple(t.shape) for t in vmap(lambda a: (a, a), out_dims=dims)(x[0])])
    except ValueError as e:
        print(type(e).__name__, e)
print(vmap(lambda a: a * 2, out_dims=(1,))(x[0]).shape)


@forward_ad.dual_level()
def slope(v):
    return forward_ad.unpack_dual(forward_ad.make_dual(v, torch.ones_like(v)).square()).tangent


print(slope(torch.tensor([1.0, 2.0])))
