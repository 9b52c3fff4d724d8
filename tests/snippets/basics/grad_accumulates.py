# Why does my gradient double? and other accumulation surprises
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
for epoch in range(3):
    loss = (w * 3).sum()
    loss.backward()
    print(epoch, w.grad)
w.grad.zero_()
print(w.grad, w.grad.requires_grad)
g_before = w.grad
loss = (w ** 2).sum()
loss.backward()
print(w.grad is g_before, g_before)
w.grad = None
loss = (w ** 2).sum()
loss.backward()
print(w.grad is g_before)
opt = torch.optim.SGD([w], lr=0.1)
opt.zero_grad(set_to_none=False)
print(w.grad)
opt.zero_grad()
print(w.grad)
opt.step()
print(w)
total = 0
for i in range(3):
    total += (w * i).sum()
print(total, total.grad_fn, total.grad_fn.next_functions[0][0].next_functions)
total.backward()
print(w.grad)
losses = []
for i in range(2):
    losses.append((w - i).pow(2).sum())
torch.stack(losses).mean().backward()
print(w.grad)
running = 0.0
for i in range(2):
    l = (w * i).sum()
    running += l
print(type(running), running.requires_grad)
a = torch.ones(2, requires_grad=True)
b = a + a + a
b.backward(torch.tensor([1.0, 0.1]))
print(a.grad)
c = torch.ones(2, requires_grad=True)
d = c.expand(3, 2)
d.sum().backward()
print(c.grad, d.grad_fn)
h = a.grad
(a * 2).sum().backward()
print(h, h is a.grad)
a.grad.data.zero_()
print(a.grad)
