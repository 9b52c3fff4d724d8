# Scripts that ask what autocast knows before they use it, by the names of the modules that define it
import torch
from torch.amp.autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from torch.amp.grad_scaler import GradScaler

print([torch.amp.is_autocast_available(kind) for kind in ("cpu", "cuda", "mps", "xpu", "meta")], torch.amp.autocast is autocast)
try:
    is_autocast_available("tpu")
except RuntimeError as error:
    print(str(error)[:50])
print(GradScaler is torch.amp.GradScaler, custom_fwd is torch.amp.custom_fwd, custom_bwd is torch.amp.custom_bwd)

torch.manual_seed(0)
model = torch.nn.Linear(4, 2)
with autocast("cpu", enabled=is_autocast_available("cpu")):
    out = model(torch.ones(3, 4))
out.float().sum().backward()
print(out.dtype, model.weight.grad)
