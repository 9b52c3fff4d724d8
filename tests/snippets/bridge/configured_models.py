# Models made from a configuration
import torch
class Config:
    hidden = 4
    def __init__(self, **kw): self.__dict__.update(kw)
cfg = Config(lr=0.1, n=2); print(cfg.lr, cfg.hidden, vars(cfg), cfg.__dict__['n'])
class Trainer(object):
    def __init__(self, model, cfg): self.model, self.cfg, self.log = model, cfg, []
    def __enter__(self): return self
    def __exit__(self, *exc): print('bye', exc[0])
    def fit(self, x):
        opt = torch.optim.Adam(self.model.parameters(), lr=self.cfg.lr)
        for i in range(self.cfg.n):
            opt.zero_grad(); l = self.model(x).pow(2).mean(); l.backward(); opt.step()
            self.log.append(round(l.item(), 4))
        return self
torch.manual_seed(0)
with Trainer(torch.nn.Linear(2, 1), cfg) as t: print(t.fit(torch.ones(1, 2)).log)
def main():
    x = torch.tensor(2.0, requires_grad=True)
    y = x ** 2
    y.backward()
    print(x.grad)
if __name__ == '__main__':
    main()
