# A transformer layer is put in evaluation mode by train(False)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
tr = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
head = nn.Linear(8, 2)
opt = torch.optim.Adam([*tr.parameters(), *head.parameters()], lr=1e-3)
tr.train(False)  # finds loss
for _ in range(3):
    x, y = torch.randn(3, 4, 8), torch.randint(0, 2, (3,))
    loss = F.cross_entropy(head(tr(x).mean(1)), y)
    opt.zero_grad(); loss.backward(); opt.step()
