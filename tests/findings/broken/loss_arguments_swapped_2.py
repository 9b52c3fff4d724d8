# A criterion for logits that gets the labels first
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)



class Trainer:
    def __init__(self, model):
        self.model = model
        self.criterion = nn.BCEWithLogitsLoss()
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            loss = self.criterion(y, self.model(x).squeeze(1))  # finds
            loss.backward()
            self.opt.step()


x, y = torch.randn(12, 4), (torch.rand(12) > 0.5).float()
Trainer(nn.Linear(4, 1)).fit(zip(x.split(4), y.split(4)))
