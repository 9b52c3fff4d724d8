# AccumulateGrad behaviour: stealing, accumulation in place or not, grads that share memory, expanded grads
import torch
w = torch.ones(3, requires_grad=True); (w * 2).sum().backward(); g1 = w.grad; (w * 3).sum().backward(); print(g1 is w.grad, g1, w.grad)
w.grad = None; y = (w ** 2).sum(); y.backward(create_graph=True); print(w.grad, w.grad.requires_grad, w.grad.grad_fn.name()); g = w.grad; w.grad = None; g.sum().backward(); print(w.grad)
w.grad = torch.zeros(3); z = w.grad; (w * 2).sum().backward(); print(z is w.grad, z); w.grad = None; w.sum().backward(); print(w.grad.stride(), w.grad.is_contiguous()); a = w.grad; a[0] = 9; w.grad = None; w.sum().backward(); print(w.grad)
p = torch.ones(2, 3).t().requires_grad_(); (p * 2).sum().backward(); print(p.grad.stride(), p.is_leaf); s = torch.ones(3, requires_grad=True); gr = torch.ones(3); torch.autograd.backward(s, gr); print(s.grad is gr, s.grad.data_ptr() == gr.data_ptr()); t = torch.ones(2, requires_grad=True); t.expand(4, 2).sum().backward(); t.view(1, 2).sum().backward(); print(t.grad); d = torch.ones(2, dtype=torch.float64, requires_grad=True); d.float().sum().backward(); print(d.grad.dtype)
