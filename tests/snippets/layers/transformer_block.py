# One encoder layer, from parts and from nn
import torch
import torch.nn as nn

class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.attn = nn.MultiheadAttention(d, heads, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.ff(self.norm2(x))

torch.manual_seed(0)
block = Block(8, 2)
x = torch.randn(1, 4, 8)
y = block(x)
print(y.shape, f"{y.sum():.4f}")
y.pow(2).mean().backward()
print([n for n, p in block.named_parameters() if p.grad is None])
layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, dropout=0.0, batch_first=True)
z = layer(x)
print(tuple(z.shape), sum(p.numel() for p in layer.parameters()))
z.sum().backward()
print("a sum of normalised rows does not change:", layer.linear1.weight.grad.abs().sum().item() < 1e-4)
