# Shared memory with numpy, and tensors that refuse
import numpy as np
import torch

a = np.array([1.0, 2.0, 3.0])
t = torch.from_numpy(a)
a[0] = 100
print(t, t.dtype, torch.tensor(a, dtype=torch.float32))
n = torch.ones(3).numpy()
print(n, type(n).__name__, n.dtype)
w = torch.tensor([1.0, 2.0], requires_grad=True)
try:
    w.numpy()
except RuntimeError as e:
    print(e)
print(w.detach().numpy() * 2, w.detach().cpu().numpy().sum())
t.mul_(2)
print(a)
print(torch.as_tensor(np.arange(6).reshape(2, 3)), np.float32(1.5) + torch.tensor(1.0))
