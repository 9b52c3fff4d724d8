# A scaler of losses on the CPU: scales, steps that are skipped, growth, errors, and what it keeps.
import torch
from torch import nn
from torch.amp import GradScaler

torch.manual_seed(0)
scaler = GradScaler("cpu", init_scale=1024.0, growth_interval=2)
print(scaler.is_enabled(), scaler.get_scale(), scaler.state_dict(), GradScaler("cpu").state_dict())
print(scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval(), scaler._scale)


def refused(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
refused(lambda: scaler.step(optimizer))
refused(lambda: scaler.update())
refused(lambda: scaler.unscale_(optimizer))
x, y = torch.randn(8, 3), torch.randn(8, 1)
for turn in range(6):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = net(x)
    loss = nn.functional.mse_loss(out.float(), y)
    scaled = scaler.scale(loss)
    scaled.backward()
    if turn == 0:
        print((scaled / loss).item(), scaled.grad_fn.name())
    if turn == 3:
        net.weight.grad[0, 0] = float("inf")
    if turn % 2:
        scaler.unscale_(optimizer)
        print(round(float(nn.utils.clip_grad_norm_(net.parameters(), 1.0)), 3))
        refused(lambda: scaler.unscale_(optimizer))
    before = net.weight.detach().clone()
    scaler.step(optimizer)
    refused(lambda: scaler.step(optimizer))
    refused(lambda: scaler.unscale_(optimizer))
    scaler.update()
    print(turn, scaler.get_scale(), scaler.state_dict()["_growth_tracker"], bool((net.weight != before).any()))
print(net.weight, net.weight.grad)

losses = scaler.scale([torch.ones(2), (torch.tensor(2.0), torch.tensor([3.0]))])
print(losses, scaler._get_growth_tracker())
refused(lambda: scaler.scale(1.5))
refused(lambda: scaler.update())
scaler.update(8.0)
print(scaler.get_scale())
scaler.update(torch.tensor(4.0))
refused(lambda: scaler.update(torch.ones(2)))
refused(lambda: scaler.step(optimizer, closure=lambda: 0))
print(scaler._scale, scaler.state_dict())
other = torch.amp.GradScaler(device="cpu")
other.load_state_dict(scaler.state_dict())
print(other.get_scale(), other.state_dict() == scaler.state_dict(), isinstance(other, torch.GradScaler))
refused(lambda: other.load_state_dict({}))
refused(lambda: GradScaler("cpu", growth_factor=1.0))
refused(lambda: GradScaler("cpu", backoff_factor=1.0))
half = nn.Parameter(torch.ones(2, dtype=torch.float16))
other_optimizer = torch.optim.SGD([half])
refused(lambda: scaler.step(other_optimizer))
scaler.update(4.0)
half.grad = torch.ones(2, dtype=torch.float16)
refused(lambda: scaler.step(other_optimizer))
off = GradScaler("cpu", enabled=False)
print(off.is_enabled(), off.get_scale(), off.state_dict(), off.scale(loss) is loss)
print(torch.cpu.is_available(), torch.cpu.device_count())
old = torch.cpu.amp.GradScaler(init_scale=2.0)
print(old.is_enabled(), old.get_scale(), isinstance(old, GradScaler), type(old).__name__)
