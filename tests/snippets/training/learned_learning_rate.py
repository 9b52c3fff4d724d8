# Hypergradient: differentiate the loss after a step with respect to the learning rate
import torch

lr = torch.tensor(0.05, requires_grad=True)
data = torch.tensor([[1.0, 2.0], [2.0, 3.9], [3.0, 6.1]])
meta = torch.optim.SGD([lr], lr=0.001)

def loss_of(w):
    return ((w * data[:, 0] - data[:, 1]) ** 2).mean()

for outer in range(4):
    w = torch.tensor(0.0, requires_grad=True)
    for inner in range(2):
        g, = torch.autograd.grad(loss_of(w), w, create_graph=True)
        w = w - lr * g
    final = loss_of(w)
    meta.zero_grad()
    final.backward()
    print(f"lr {lr.item():.5f} final {final.item():.6f} d final/d lr {lr.grad.item():.4f}")
    meta.step()
