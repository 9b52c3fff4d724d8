# Modules whose weights lie channels last, and what they do to images
import torch, warnings, copy
import torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
def attempt(f):
    try:
        r = f()
        print(r)
    except Exception as e: print(type(e).__name__, e)
x = torch.rand(2, 3, 8, 8); conv = nn.Conv2d(3, 4, 3, padding=1).to(memory_format=torch.channels_last)
print(conv(x).stride(), conv.weight.stride(), conv.weight.grad, x.stride())
print(nn.Conv2d(3, 4, 1)(x.to(memory_format=torch.channels_last)).stride(), nn.ConvTranspose2d(3, 4, 3).to(memory_format=torch.channels_last)(x).stride())
print(nn.Conv3d(3, 4, 2).to(memory_format=torch.channels_last_3d)(torch.rand(1, 3, 4, 4, 4)).stride()); attempt(lambda: nn.Conv3d(3, 4, 2).to(memory_format=torch.channels_last)); print(nn.Conv1d(3, 4, 2).to(memory_format=torch.channels_last).weight.stride())
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(4), nn.Flatten(), nn.Linear(32, 2)).to(memory_format=torch.channels_last); out = net(x); print(out); out.pow(2).sum().backward(); print(net[0].weight.grad.stride(), net[1](net[0](x)).stride(), net[0](x[:1]).stride(), net[0](x[0]).stride())
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9); opt.step(); print(opt.state[net[0].weight]['momentum_buffer'].stride(), net.state_dict()['0.weight'].stride(), copy.deepcopy(net)[0].weight.stride())
net.to(memory_format=torch.contiguous_format); print(net[0].weight.stride())
