# nn.MultiheadAttention: output and weights
import torch
import torch.nn as nn

torch.manual_seed(0)
mha = nn.MultiheadAttention(embed_dim=4, num_heads=2, batch_first=True)
x = torch.randn(1, 3, 4, requires_grad=True)
out, weights = mha(x, x, x)
print(out.shape, weights.shape)
print(weights.sum(-1))
print(out)
out.mean().backward()
print({n: round(p.grad.norm().item(), 4) for n, p in mha.named_parameters()})
_, per_head = mha(x, x, x, average_attn_weights=False, attn_mask=nn.Transformer.generate_square_subsequent_mask(3))
print(per_head.shape, per_head[0, 0, 0])
