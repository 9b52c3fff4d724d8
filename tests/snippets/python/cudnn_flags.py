# torch.backends.cudnn.flags around an LSTM: its settings hold for the block
import torch
from torch.backends import cudnn

torch.manual_seed(0)
lstm = torch.nn.LSTM(2, 3)
x = torch.randn(4, 1, 2, requires_grad=True)
print(cudnn.enabled, cudnn.is_acceptable(x), torch.backends.mkldnn.enabled)
with torch.backends.cudnn.flags(enabled=False):
    out, _ = lstm(x)
    print(cudnn.enabled, cudnn.benchmark)
    with cudnn.flags(enabled=True, benchmark=True):
        print(cudnn.enabled, cudnn.benchmark)
    print(cudnn.enabled, cudnn.benchmark)
out.sum().backward()
print(x.grad)


@cudnn.flags(enabled=False)
def inside(value):
    return value, cudnn.enabled


print(inside(1), cudnn.enabled)
try:
    with cudnn.flags(enabled=False, deterministic=True):
        print(cudnn.enabled, cudnn.deterministic)
        raise ValueError("left by an error")
except ValueError as e:
    print(e, cudnn.enabled, cudnn.deterministic)
cudnn.flags(foo=1)
