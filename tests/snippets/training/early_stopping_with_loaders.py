# A trainer with logging, early stopping, checkpoints in memory, best state restored, confusion matrix
import torch, torch.nn as nn, copy, math
from dataclasses import dataclass, field
torch.manual_seed(0)
@dataclass
class History:
    train: list = field(default_factory=list); val: list = field(default_factory=list); best: float = math.inf; wait: int = 0
X = torch.randn(40, 2); y = (X[:, 0] * X[:, 1] > 0).long()
tr, va = torch.utils.data.random_split(torch.utils.data.TensorDataset(X, y), [30, 10], generator=torch.Generator().manual_seed(1))
loader = torch.utils.data.DataLoader(tr, batch_size=10, shuffle=True, generator=torch.Generator().manual_seed(2))
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2)); opt = torch.optim.Adam(net.parameters(), lr=.05); crit = nn.CrossEntropyLoss(); h, state = History(), None
for epoch in range(6):
    net.train(); tot = 0.
    for xb, yb in loader:
        opt.zero_grad(); l = crit(net(xb), yb); l.backward(); opt.step(); tot += l.item() * len(xb)
    net.eval()
    with torch.no_grad(): xv, yv = zip(*va); out = net(torch.stack(xv)); v = crit(out, torch.stack(yv)).item()
    h.train.append(tot / len(tr)); h.val.append(v)
    if v < h.best - 1e-3: h.best, h.wait, state = v, 0, copy.deepcopy(net.state_dict())
    else: h.wait += 1
    print(f"epoch {epoch + 1:>2}/{6} train {h.train[-1]:.4f} val {v:.4f} acc {(out.argmax(1) == torch.stack(yv)).float().mean():.0%} {'*' if h.wait == 0 else ''}")
    if h.wait >= 2: break
net.load_state_dict(state); pred = net(X).argmax(1); cm = torch.zeros(2, 2, dtype=torch.long)
for t, p in zip(y, pred): cm[t, p] += 1
print(cm, cm.diag().sum() / cm.sum(), torch.bincount(y * 2 + pred, minlength=4).view(2, 2).equal(cm), len(loader), len(va))
