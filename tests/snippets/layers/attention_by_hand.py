# Scaled dot product attention, by hand and built in, with a causal mask
import torch
import torch.nn.functional as F
import math

torch.manual_seed(0)
q, k, v = (torch.randn(1, 4, 2, requires_grad=True) for _ in range(3))
scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
mask = torch.tril(torch.ones(4, 4, dtype=torch.bool))
weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
print(weights.detach())
out = weights @ v
same = F.scaled_dot_product_attention(q, k, v, is_causal=True)
print(torch.allclose(out, same, atol=1e-6))
out[0, 1].sum().backward()
print("step 1 sees no later value:", v.grad[0, 2:].abs().sum().item() == 0)
print(v.grad)
