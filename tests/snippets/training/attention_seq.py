# Self-attention classifier on sequences, with a padding mask
import torch
import torch.nn as nn

torch.manual_seed(0)
emb, attn, head = nn.Embedding(10, 8, padding_idx=0), nn.MultiheadAttention(8, 2, batch_first=True), nn.Linear(8, 2)
tokens = torch.tensor([[3, 4, 5, 0], [7, 8, 0, 0], [1, 2, 3, 4]])
labels = torch.tensor([0, 1, 0])
params = [*emb.parameters(), *attn.parameters(), *head.parameters()]
opt = torch.optim.SGD(params, lr=0.5)
for step in range(3):
    pad = tokens == 0
    h = emb(tokens)
    out, weights = attn(h, h, h, key_padding_mask=pad)
    pooled = out.masked_fill(pad.unsqueeze(-1), 0).sum(1) / (~pad).sum(1, keepdim=True)
    loss = nn.functional.cross_entropy(head(pooled), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f}", weights[1, 0].detach())
print(emb.weight.grad[0].abs().sum().item(), emb.weight.grad[9].abs().sum().item())
