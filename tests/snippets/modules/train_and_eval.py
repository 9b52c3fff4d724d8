# train(), eval() and which modules care
import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5), nn.BatchNorm1d(2))
print([m.training for m in model.modules()])
model.eval()
print([m.training for m in model.modules()])
model[1].train()
print([m.training for m in model.modules()], model.training)
model.train(False)
with torch.no_grad():
    model[0].weight.fill_(1.0)
    model[0].bias.zero_()
print(model(torch.tensor([[1.0, 2.0]])))
