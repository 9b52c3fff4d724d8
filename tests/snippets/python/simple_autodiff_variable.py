# The old Variable API still works
import torch
from torch.autograd import Variable

x = Variable(torch.Tensor([2, 3]), requires_grad=True)
y = Variable(torch.FloatTensor([[1, 2], [3, 4]]))
z = torch.mv(y, x)
print(type(x).__name__, isinstance(x, Variable), x.data)
z.backward(torch.Tensor([1, 0.5]))
print(x.grad.data, x.grad)
i = Variable(torch.LongTensor([0, 1]))
print(i, i.type(), x.type(), torch.is_tensor(x))
print(torch.Tensor(2, 3).shape, torch.IntTensor([1]).dtype, torch.DoubleTensor([1.5]))
