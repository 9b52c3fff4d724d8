# An optimizer of one's own
import torch
class MySGD(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))
    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g['params']:
                if p.grad is None: continue
                st = self.state[p]
                st['n'] = st.get('n', 0) + 1
                p.add_(p.grad, alpha=-g['lr'])
w = torch.tensor([1., 2.], requires_grad=True)
o = MySGD([w]); 
for _ in range(3):
    o.zero_grad(); (w ** 2).sum().backward(); o.step()
print(w, o.state[w]['n'])
s = torch.optim.SGD([w], lr=1.0); sch = torch.optim.lr_scheduler.LambdaLR(s, lr_lambda=lambda e: 0.5 ** e)
for _ in range(3): s.step(); sch.step(); print(sch.get_last_lr(), s.param_groups[0]['lr'])
