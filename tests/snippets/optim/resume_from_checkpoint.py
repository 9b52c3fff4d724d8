# Saving and restoring the optimizer state gives the same next step
import copy
import torch

def step(w, opt):
    opt.zero_grad()
    (w ** 4).sum().backward()
    opt.step()

w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
step(w, opt)
saved = {"w": w.detach().clone(), "opt": copy.deepcopy(opt.state_dict())}
step(w, opt)
w2 = saved["w"].requires_grad_()
opt2 = torch.optim.Adam([w2], lr=999.0)
opt2.load_state_dict(saved["opt"])
print(opt2.param_groups[0]["lr"], list(saved["opt"]["state"][0]))
step(w2, opt2)
print(w, w2, torch.equal(w, w2))
