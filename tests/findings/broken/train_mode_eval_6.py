# Dropout between the layers of an LSTM
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
lstm = nn.LSTM(4, 6, num_layers=2, dropout=0.4, batch_first=True); fc = nn.Linear(6, 1)
opt = torch.optim.Adam([*lstm.parameters(), *fc.parameters()], lr=0.01)
for i in range(3):
    x, y = torch.randn(3, 5, 4), torch.randn(3, 1)
    loss = F.mse_loss(fc(lstm(x)[0][:, -1]), y)
    opt.zero_grad(); loss.backward(); opt.step()
with torch.no_grad():
    test = torch.randn(3, 5, 4)
    pred = fc(lstm(test)[0][:, -1])  # finds pred
    print("test", pred.mean().item())
