# Exponential moving average of the parameters
import torch
import torch.nn as nn

class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}

    @torch.no_grad()
    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n].lerp_(p, 1 - self.decay)

torch.manual_seed(0)
model = nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.2)
ema = EMA(model, 0.5)
x = torch.linspace(-1, 1, 8).unsqueeze(1)
for step in range(5):
    loss = nn.functional.mse_loss(model(x), 3 * x + 1)
    opt.zero_grad(); loss.backward(); opt.step()
    ema.update(model)
    print(f"{step}: loss {loss:.4f} w {model.weight.item():.4f} ema {ema.shadow['weight'].item():.4f}")
