# state_dict hooks, load hooks, extra state, buffers that persist, version keys, strict loading, missing prefixes
import torch, torch.nn as nn
torch.manual_seed(0)
class Counter(nn.Module):
    def __init__(s): super().__init__(); s.w = nn.Parameter(torch.ones(1)); s.register_buffer("n", torch.tensor(0)); s.note = "x"
    def forward(s, x): s.n += 1; return x * s.w
    def get_extra_state(s): return {"note": s.note}
    def set_extra_state(s, st): s.note = st["note"]
m = Counter(); m(torch.ones(1)); m.note = "saved"; sd = m.state_dict(); print(sd)
k = Counter(); k.load_state_dict(sd); print(k.note, k.n)
h1 = m.register_state_dict_post_hook(lambda mod, sd, prefix, meta: sd.update({prefix + "added": torch.ones(1)})) if hasattr(m, "register_state_dict_post_hook") else m._register_state_dict_hook(lambda mod, sd, prefix, meta: sd.update({prefix + "added": torch.ones(1)}))
sd = m.state_dict(); print(list(sd)); h1.remove()
m.register_load_state_dict_pre_hook(lambda mod, sd, *a: sd.pop("added", None)) if hasattr(m, "register_load_state_dict_pre_hook") else None
m.register_load_state_dict_post_hook(lambda mod, keys: print("post", keys))
print(m.load_state_dict(sd)); net = nn.Sequential(Counter(), nn.Linear(1, 1)); print(list(net.state_dict(prefix="net.")))
pre = {k.replace("0.", "module.0.") if k.startswith("0.") else "module." + k: v for k, v in net.state_dict().items()}
try: net.load_state_dict(pre)
except RuntimeError as e: print(str(e)[:200])
net.load_state_dict({k[7:]: v for k, v in pre.items()})
from torch.nn.utils import parameters_to_vector
print(parameters_to_vector(net[0].parameters()), sum(b.numel() for b in net.buffers()), [n for n, _ in net.named_buffers()])
