# Heads are split from the time axis
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class MHA(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.d = h, d
        self.q = nn.Linear(d, d); self.k = nn.Linear(d, d); self.v = nn.Linear(d, d); self.o = nn.Linear(d, d)
    def forward(self, x):
        b, t, d = x.shape
        q = self.q(x).view(b, self.h, t, d // self.h)  # finds q
        k = self.k(x).view(b, self.h, t, d // self.h)
        v = self.v(x).view(b, self.h, t, d // self.h)
        a = (q @ k.transpose(-2, -1) / (d // self.h) ** 0.5).softmax(-1)
        return self.o((a @ v).transpose(1, 2).reshape(b, t, d))
mha = MHA(8, 2)
opt = torch.optim.Adam(mha.parameters())
for _ in range(2):
    x = torch.randn(3, 5, 8)
    loss = F.mse_loss(mha(x), x)
    opt.zero_grad(); loss.backward(); opt.step()
