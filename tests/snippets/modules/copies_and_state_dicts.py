# copy, deepcopy, clone, state_dict, load errors, strict, buffers, prefix, non persistent
import copy, torch, torch.nn as nn
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
s = copy.copy(m); d = copy.deepcopy(m)
print(s[0] is m[0], d[0] is m[0], torch.equal(d[0].weight, m[0].weight), d[0].weight.is_leaf)
x = torch.ones(2, requires_grad=True); y = x * 2
try: copy.deepcopy(y)
except RuntimeError as e: print(e)
z = copy.deepcopy(x); print(z, z is x, copy.copy(y).grad_fn)
sd = m.state_dict(); print(sd.keys(), type(sd).__name__, sd["0.weight"].requires_grad)
with torch.no_grad(): m[0].weight.zero_()
print(sd["0.weight"]); sd2 = {k: v.clone() for k, v in d.state_dict().items()}; print(m.load_state_dict(sd2), m[0].weight.requires_grad)
sd2.pop("0.bias"); sd2["extra"] = torch.ones(1)
try: m.load_state_dict(sd2)
except RuntimeError as e: print(e)
print(m.load_state_dict(sd2, strict=False))
sd2["0.weight"] = torch.ones(3, 3)
try: m.load_state_dict(sd2, strict=False)
except RuntimeError as e: print(e)
class B(nn.Module):
    def __init__(self):
        super().__init__(); self.register_buffer("a", torch.ones(1)); self.register_buffer("b", torch.zeros(1), persistent=False); self.register_buffer("c", None); self.register_parameter("p", None)
b = B(); print(b.state_dict(), dict(b.named_buffers()), list(b.parameters()), b._buffers, b)
try: b.a = 3
except TypeError as e: print(e)
try: b.register_buffer("a", torch.ones(1))
except KeyError as e: print(e)
try: b.register_parameter("q", torch.ones(1))
except TypeError as e: print(e)
try: b.nothing
except AttributeError as e: print(e)
try: m[5]
except IndexError as e: print(e)
del b.a; print(hasattr(b, "a"), [n for n, _ in m.named_modules()], m.get_submodule("1"), m.get_parameter("0.bias").shape)
m.eval(); print(m.training, m[1].training, m.train(True)[1].training, m.requires_grad_(False)[0].bias.requires_grad, m.double()[0].weight.dtype, m.zero_grad())
