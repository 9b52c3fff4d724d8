# Training loop with validation, early stopping and the best weights
import copy
import torch
import torch.nn as nn

class EarlyStopping:
    def __init__(self, patience=2, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.counter, self.state = float("inf"), 0, None

    def __call__(self, value, model):
        if value < self.best - self.min_delta:
            self.best, self.counter, self.state = value, 0, copy.deepcopy(model.state_dict())
            return False
        self.counter += 1
        return self.counter >= self.patience

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
x, xv = torch.rand(6, 1), torch.rand(6, 1)
y, yv = x ** 2 + 0.2 * torch.randn(6, 1), xv ** 2
opt, stop = torch.optim.Adam(model.parameters(), lr=0.05), EarlyStopping()
for epoch in range(30):
    model.train()
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
    model.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(model(xv), yv).item()
    if epoch < 4:
        print(f"{epoch:02d} train {loss.item():.4f} val {val:.4f}")
    if stop(val, model):
        print("stopped early")
        break
model.load_state_dict(stop.state)
print("best below first:", stop.best < 1.0)
