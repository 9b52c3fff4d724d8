# Pairs of wrong and right code from a tutorial, each run and reported
import torch, torch.nn as nn
def report(name, f):
    torch.manual_seed(0)
    try: print(f"{name:28s} -> {f()}")
    except Exception as e: print(f"{name:28s} !! {type(e).__name__}: {str(e).splitlines()[0][:120]}")
def w1(): w = torch.ones(1, requires_grad=True); w = w - .1 * 2; return w.is_leaf
def w2(): w = torch.ones(1, requires_grad=True); w -= .1; return w
def w3():
    w = torch.ones(1, requires_grad=True); (w * 2).backward()
    with torch.no_grad(): w -= .1 * w.grad
    return w
def w4(): w = torch.ones(1, requires_grad=True); (w * 2).backward(); w.data -= .1 * w.grad; return w
def w5():
    w = torch.ones(1, requires_grad=True); (w * 2).backward()
    with torch.no_grad(): w = w - .1 * w.grad
    return w.requires_grad
def l1(): return nn.CrossEntropyLoss()(torch.randn(2, 3).softmax(1), torch.tensor([[0, 1, 0], [1, 0, 0]]))
def l2(): return nn.CrossEntropyLoss()(torch.randn(2, 3), torch.tensor([1, 0]))
def l3(): return nn.BCELoss()(torch.randn(2), torch.ones(2))
def l4(): return nn.BCEWithLogitsLoss()(torch.randn(2), torch.ones(2))
def l5(): return nn.BCEWithLogitsLoss()(torch.randn(2, 1), torch.ones(2))
def l6(): return nn.MSELoss()(torch.randn(2, 1), torch.ones(2))
def l7(): return nn.NLLLoss()(torch.randn(2, 3), torch.tensor([0., 1.]))
def m1(): return nn.Sequential(nn.Linear(4, 2), nn.Linear(3, 1))(torch.ones(1, 4))
def m2(): return nn.Conv2d(1, 1, 3)(torch.ones(5, 5)).shape
def m3(): return nn.LSTM(2, 3)(torch.ones(4, 2))[0].shape
def m4(): return nn.Embedding(3, 2)(torch.tensor([1.5]))
def m5(): return nn.BatchNorm1d(3)(torch.ones(1, 3))
def d1(): x = torch.ones(2, requires_grad=True); return x.numpy()
def d2(): x = torch.ones(2, requires_grad=True); return torch.tensor(x.sum().item()).requires_grad
def d3(): a = torch.ones(2); b = a; b[0] = 5; return a
def d4(): a = torch.ones(2); b = a.clone(); b[0] = 5; return a
def g1(): x = torch.ones(1, requires_grad=True); y = x ** 2; y.backward(); y.backward()
def g2(): x = torch.ones(1, requires_grad=True); y = x ** 2; y.backward(retain_graph=True); y.backward(); return x.grad
def g3(): x = torch.ones(2, requires_grad=True); (x ** 2).backward()
def g4(): x = torch.ones(2, requires_grad=True); (x ** 2).sum().backward(); return x.grad
def g5(): x = torch.ones(2); (x ** 2).sum().backward()
def g6(): h = torch.zeros(1); w = torch.ones(1, requires_grad=True); ls = []; [ls.append((h := torch.tanh(h + w))) for _ in range(2)]; ls[0].backward(); ls[1].backward()
for n, f in [(k, v) for k, v in list(globals().items()) if len(k) == 2 and callable(v) and k[1].isdigit()]: report(n, f)
