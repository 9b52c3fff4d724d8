# Padding and causal masks three ways: additive, boolean, is_causal; multihead module against by hand
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
B, T, E, H = 2, 4, 6, 2
x = torch.randn(B, T, E, requires_grad=True)
lengths = torch.tensor([4, 2])
pad = torch.arange(T)[None, :] >= lengths[:, None]
causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
print(pad, causal.int(), nn.Transformer.generate_square_subsequent_mask(3), sep="\n")
mha = nn.MultiheadAttention(E, H, batch_first=True)
out, w = mha(x, x, x, key_padding_mask=pad, attn_mask=causal, need_weights=True, average_attn_weights=False)
print(out.shape, w.shape, w[1, 0])
q, k, v = F.linear(x, mha.in_proj_weight, mha.in_proj_bias).chunk(3, dim=-1)
split = lambda t: t.view(B, T, H, E // H).transpose(1, 2)
q, k, v = map(split, (q, k, v))
scores = q @ k.transpose(-2, -1) / math.sqrt(E // H)
scores = scores.masked_fill(pad[:, None, None, :] | causal, float("-inf"))
ctx = (scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, E)
mine = mha.out_proj(ctx)
print(torch.allclose(out, mine, atol=1e-6), mine.grad_fn, ctx.grad_fn)
mine.pow(2).sum().backward()
print(x.grad[1])
print(mha.in_proj_bias.grad.view(3, E)[1].abs().max() < 1e-6)
add = torch.zeros(T, T).masked_fill(causal, float("-inf"))
s1 = F.scaled_dot_product_attention(q, k, v, attn_mask=add)
s2 = F.scaled_dot_product_attention(q, k, v, attn_mask=~causal)
s3 = F.scaled_dot_product_attention(q, k, v, is_causal=True)
print(torch.allclose(s1, s2), torch.allclose(s1, s3, atol=1e-6), s3.grad_fn)
full = torch.full((1, 2, 3), float("-inf"), requires_grad=True)
nanny = full.softmax(-1)
print(nanny)
nanny.sum().backward()
print(full.grad)
enc = nn.TransformerEncoderLayer(E, H, dim_feedforward=8, batch_first=True, dropout=0.0)
o = enc(x.detach(), src_key_padding_mask=pad)
print(o.shape, o.grad_fn.name())
o[0].sum().backward()
print({n: p.grad.norm().item() > 1e-9 for n, p in list(enc.named_parameters())[:4]})
try:
    mha(x, x, x, attn_mask=torch.zeros(3, 3))
except RuntimeError as e:
    print(e)
try:
    nn.MultiheadAttention(5, 2)
except AssertionError as e:
    print(e)
