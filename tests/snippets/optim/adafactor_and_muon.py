# Adafactor keeps means of rows and columns; Muon orthogonalises the momentum; SparseAdam wants sparse gradients
import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.randn(16, 4)
target = torch.randn(16, 3)
for make in (
    lambda p: torch.optim.Adafactor(p, lr=0.05),
    lambda p: torch.optim.Adafactor(p, lr=0.1, weight_decay=0.01, d=2.0, beta2_decay=-0.5),
    lambda p: torch.optim.Muon([q for q in p if q.ndim == 2], lr=0.05),
    lambda p: torch.optim.Muon([q for q in p if q.ndim == 2], lr=0.02, nesterov=False, adjust_lr_fn="match_rms_adamw"),
):
    torch.manual_seed(1)
    layer = nn.Linear(4, 3)
    optimizer = make(list(layer.parameters()))
    for step in range(5):
        optimizer.zero_grad()
        loss = (layer(x) - target).pow(2).mean()
        loss.backward()
        optimizer.step()
    print(optimizer)
    print(f"{loss.item():.4f}", layer.weight, layer.weight._version)
    print({k: tuple(v.shape) for k, v in optimizer.state[layer.weight].items()})
print(torch.linalg.svdvals(optimizer.state[layer.weight]["momentum_buffer"]).shape)
embedding = nn.Embedding(3, 2)
embedding(torch.tensor([0, 1])).sum().backward()
for f in (
    lambda: torch.optim.SparseAdam(embedding.parameters()).step(),
    lambda: torch.optim.Muon(layer.parameters()),
    lambda: torch.optim.Muon([layer.weight], adjust_lr_fn="none"),
    lambda: torch.optim.Adafactor(layer.parameters(), beta2_decay=0.5),
    lambda: torch.optim.Adafactor(layer.parameters(), lr=-1.0),
):
    try:
        f()
    except (ValueError, RuntimeError) as e:
        print(type(e).__name__, e)
