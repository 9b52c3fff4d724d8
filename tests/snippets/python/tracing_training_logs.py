# A Trainer class with callbacks, history, early stopping, logging to a string, best weights, properties and context managers
import copy
import math
import time
from collections import defaultdict
from contextlib import contextmanager
import torch
import torch.nn as nn

class Callback:
    def on_epoch_end(self, trainer, epoch, logs): pass
    def on_train_end(self, trainer): pass

class History(Callback):
    def __init__(self): self.log = defaultdict(list)
    def on_epoch_end(self, trainer, epoch, logs):
        for k, v in logs.items(): self.log[k].append(v)

class EarlyStopping(Callback):
    def __init__(self, patience=1, min_delta=0.0):
        self.patience, self.min_delta, self.best, self.wait = patience, min_delta, math.inf, 0
    def on_epoch_end(self, trainer, epoch, logs):
        if logs["val"] < self.best - self.min_delta:
            self.best, self.wait, self.state = logs["val"], 0, copy.deepcopy(trainer.model.state_dict())
        else:
            self.wait += 1
            trainer.stop = self.wait > self.patience
    def on_train_end(self, trainer):
        trainer.model.load_state_dict(self.state)
        print("restored", f"{self.best:.4f}")

class Trainer:
    def __init__(self, model, loss_fn, optimizer, callbacks=()):
        self.model, self.loss_fn, self.optimizer = model, loss_fn, optimizer
        self.callbacks, self.stop, self._step = list(callbacks), False, 0

    @property
    def lr(self): return self.optimizer.param_groups[0]["lr"]

    @lr.setter
    def lr(self, value):
        for g in self.optimizer.param_groups: g["lr"] = value

    @contextmanager
    def evaluating(self):
        was = self.model.training
        self.model.eval()
        try:
            with torch.no_grad():
                yield self.model
        finally:
            self.model.train(was)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        self._step += 1
        return loss.detach()

    def fit(self, train, val, epochs):
        for epoch in range(1, epochs + 1):
            start = time.time()
            losses = [self.step(*b) for b in train]
            with self.evaluating() as m:
                v = self.loss_fn(m(val[0]), val[1]).item()
            logs = {"train": torch.stack(losses).mean().item(), "val": v, "lr": self.lr}
            assert time.time() >= start
            for c in self.callbacks: c.on_epoch_end(self, epoch, logs)
            print(f"[{epoch:02d}/{epochs}] " + " ".join(f"{k}={v:.4f}" for k, v in logs.items()))
            self.lr *= 0.5
            if self.stop:
                print("stopped early")
                break
        for c in self.callbacks: c.on_train_end(self)
        return self

torch.manual_seed(7)
model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Dropout(0.1), nn.Linear(8, 1))
x = torch.linspace(-1, 1, 20).unsqueeze(1)
y = x ** 3
perm = torch.randperm(20)
tr, va = perm[:16], perm[16:]
train = [(x[tr[i:i + 8]], y[tr[i:i + 8]]) for i in range(0, 16, 8)]
hist = History()
t = Trainer(model, nn.MSELoss(), torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9), [hist, EarlyStopping()])
t.fit(train, (x[va], y[va]), 6)
print(t._step, model.training, {k: len(v) for k, v in hist.log.items()})
print("best epoch", min(range(len(hist.log["val"])), key=hist.log["val"].__getitem__) + 1)
