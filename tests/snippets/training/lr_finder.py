# A learning rate finder with exponential growth, smoothing and restoring the model
import copy
import math
import torch
import torch.nn as nn

torch.manual_seed(0)
X, Y = torch.randn(32, 4), torch.randn(32, 1)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))

class LRFinder:
    def __init__(self, model, opt, crit):
        self.model, self.opt, self.crit = model, opt, crit
        self.saved = copy.deepcopy(model.state_dict()), copy.deepcopy(opt.state_dict())
        self.history = {"lr": [], "loss": []}

    def range_test(self, x, y, start=1e-4, end=10.0, num=12, beta=0.7, diverge=4.0):
        mult = (end / start) ** (1 / (num - 1))
        lr, avg, best = start, 0.0, math.inf
        for i in range(1, num + 1):
            for g in self.opt.param_groups:
                g["lr"] = lr
            self.opt.zero_grad()
            loss = self.crit(self.model(x), y)
            loss.backward()
            self.opt.step()
            avg = beta * avg + (1 - beta) * loss.item()
            smooth = avg / (1 - beta ** i)
            best = min(best, smooth)
            self.history["lr"].append(lr)
            self.history["loss"].append(smooth)
            if smooth > diverge * best:
                print("Stopping early, the loss has diverged")
                break
            lr *= mult
        return self

    def reset(self):
        self.model.load_state_dict(self.saved[0])
        self.opt.load_state_dict(self.saved[1])

    def suggestion(self):
        slopes = [(b - a) for a, b in zip(self.history["loss"], self.history["loss"][1:])]
        return self.history["lr"][min(range(len(slopes)), key=slopes.__getitem__)]

opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
before = model[0].weight.clone()
f = LRFinder(model, opt, nn.MSELoss())
f.range_test(X, Y)
for lr, loss in zip(*f.history.values()):
    print(f"{lr:10.5f} {loss:10.4f}")
print("suggested", f"{f.suggestion():.4f}", torch.equal(before, model[0].weight))
f.reset()
print(torch.equal(before, model[0].weight), opt.param_groups[0]["lr"], len(opt.state))
