# Averaged models: SWA with its learning rate and update_bn, EMA by two functions, averages with buffers
import torch
import torch.nn as nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_avg_fn, get_ema_multi_avg_fn, update_bn

torch.manual_seed(0)
x = torch.randn(32, 2)
y = (x[:, :1] * x[:, 1:]).tanh()
loader = [(x[i : i + 8], y[i : i + 8]) for i in range(0, 32, 8)]
model = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
swa = AveragedModel(model)
swa_scheduler = SWALR(optimizer, anneal_strategy="linear", anneal_epochs=3, swa_lr=0.05)
ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
old_ema = AveragedModel(model, avg_fn=get_ema_avg_fn(0.9), use_buffers=True)
for epoch in range(8):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
    if epoch > 3:
        swa.update_parameters(model)
        swa_scheduler.step()
    else:
        scheduler.step()
    ema.update_parameters(model)
    old_ema.update_parameters(model)
    print(epoch, f"{loss.item():.4f} {optimizer.param_groups[0]['lr']:.4f}", swa.n_averaged.item())
update_bn(loader, swa)
print(swa.module[1].running_mean, swa.module[1].num_batches_tracked)
swa.eval()
print(nn.functional.mse_loss(swa(x), y).item() < 1.0, swa.module[3].bias, ema.module[3].bias, old_ema.module[3].bias)
print(list(swa.state_dict())[:3], swa)
print(old_ema.module[1].running_var[:2], ema.module[1].running_var[:2])
for f in (lambda: SWALR(optimizer, 0.1, anneal_strategy="sin"), lambda: SWALR(optimizer, 0.1, anneal_epochs=-1), lambda: get_ema_avg_fn(1.5), lambda: AveragedModel(model, avg_fn=len, multi_avg_fn=len)):
    try:
        f()
    except (ValueError, AssertionError) as e:
        print(type(e).__name__, e)
