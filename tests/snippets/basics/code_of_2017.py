# Code of 2017: Variable, loss.data[0], volatile, retain_variables, nn.Softmax without dim, size_average
import torch
from torch.autograd import Variable
import torch.nn as nn
import torch.nn.functional as F
x = Variable(torch.ones(2, 2), requires_grad=True); y = x + 2; z = y * y * 3; out = z.mean(); out.backward(); print(x.grad, y.grad_fn, isinstance(x, Variable), type(x))
try: print(out.data[0])
except IndexError as e: print(e)
try: out.backward(retain_variables=True)
except TypeError as e: print(e)
print(nn.Softmax()(torch.ones(1, 2)), F.log_softmax(torch.ones(2, 2)), F.sigmoid(torch.zeros(1)), F.tanh(torch.zeros(1)))
l = nn.MSELoss(size_average=False)(torch.ones(2), torch.zeros(2)); print(l, nn.CrossEntropyLoss(reduce=False)(torch.ones(1, 2), torch.tensor([0])))
v = Variable(torch.zeros(1), volatile=True); print(v.requires_grad); w = torch.Tensor(2).fill_(1); w.requires_grad = True; (w * 2).sum().backward(); w.data -= 0.1 * w.grad.data; w.grad.data.zero_(); print(w, w.grad)
torch.nn.utils.clip_grad_norm(nn.Linear(1, 1).parameters(), 1.) if hasattr(torch.nn.utils, "clip_grad_norm") else None
print(torch.nn.init.xavier_uniform(torch.zeros(1, 1)).shape, F.upsample(torch.ones(1, 1, 2), scale_factor=2).shape)
