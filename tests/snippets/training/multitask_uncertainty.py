# Two tasks, learned loss weights, cosine similarity of task gradients, PCGrad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(11)

class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 5), nn.GELU(), nn.LayerNorm(5))
        self.heads = nn.ModuleDict({"reg": nn.Linear(5, 1), "cls": nn.Linear(5, 3)})
        self.log_vars = nn.ParameterDict({k: nn.Parameter(torch.zeros(())) for k in self.heads})

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h) for k, head in self.heads.items()}

net = MultiTask()
print(net)
x = torch.randn(6, 3)
yr, yc = x.sum(1, keepdim=True), torch.randint(0, 3, (6,))
out = net(x)
losses = {"reg": F.mse_loss(out["reg"], yr), "cls": F.cross_entropy(out["cls"], yc)}
total = sum(torch.exp(-net.log_vars[k]) * l + net.log_vars[k] for k, l in losses.items())
shared = [p for p in net.trunk.parameters()]
g = {k: torch.cat([t.flatten() for t in torch.autograd.grad(l, shared, retain_graph=True)]) for k, l in losses.items()}
cos = F.cosine_similarity(g["reg"], g["cls"], dim=0)
print(f"cos={cos:.4f}", {k: round(v.norm().item(), 4) for k, v in g.items()})
if cos < 0:
    proj = g["reg"] - (g["reg"] @ g["cls"]) / g["cls"].norm() ** 2 * g["cls"]
else:
    proj = g["reg"]
print(proj[:4])
total.backward()
print(total, total.grad_fn)
print({n: round(p.grad.item(), 4) for n, p in net.log_vars.items()})
for n, p in net.named_parameters():
    print(f"{n:<24}{str(list(p.shape)):<10}{p.grad.abs().mean():.5f}")
