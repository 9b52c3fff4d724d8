# Manual BPTT of a vanilla RNN compared with autograd at every step
import torch
torch.manual_seed(0); T, H = 4, 3; Wx, Wh, Wy = (torch.randn(s, dtype=torch.double) * .5 for s in ((1, H), (H, H), (H, 1))); x, y = torch.randn(T, 1, dtype=torch.double), torch.randn(T, 1, dtype=torch.double)
P = [w.clone().requires_grad_() for w in (Wx, Wh, Wy)]; h = torch.zeros(1, H, dtype=torch.double); hs, L = [], 0
for t in range(T): h = torch.tanh(x[t:t + 1] @ P[0] + h @ P[1]); h.retain_grad(); hs.append(h); L = L + ((h @ P[2] - y[t]) ** 2).sum()
L.backward()
dWx, dWh, dWy = map(torch.zeros_like, (Wx, Wh, Wy)); dh = torch.zeros(1, H, dtype=torch.double)
with torch.no_grad():
    for t in reversed(range(T)):
        e = 2 * (hs[t] @ Wy - y[t]); dWy += hs[t].T @ e; dh = dh + e @ Wy.T; print(t, torch.allclose(dh, hs[t].grad), dh.norm().item())
        dz = dh * (1 - hs[t] ** 2); dWx += x[t:t + 1].T @ dz; dWh += (hs[t - 1] if t else torch.zeros_like(h)).T @ dz; dh = dz @ Wh.T
print([torch.allclose(a, p.grad) for a, p in zip((dWx, dWh, dWy), P)])
