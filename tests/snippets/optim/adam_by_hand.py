# Adam's first steps written out
import torch

w = torch.tensor([1.0, -3.0], requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
u, m, v = w.detach().clone(), torch.zeros(2), torch.zeros(2)
for t in range(1, 4):
    loss = (w ** 2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    g = 2 * u
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    u -= 0.1 * (m / (1 - 0.9 ** t)) / ((v / (1 - 0.999 ** t)).sqrt() + 1e-8)
    print(t, w.detach(), torch.allclose(w, u))
state = opt.state[w]
print(sorted(state), state["step"], state["exp_avg"])
print(opt)
