# Where the elements of images lie when they are asked to have their channels last, and back
import torch

for shape in ((2, 1, 8, 8), (2, 3, 8, 8), (2, 3, 1, 1), (1, 1, 4, 4), (1, 3, 1, 5), (3, 1, 1, 2)):
    x = torch.zeros(shape)
    last = x.to(memory_format=torch.channels_last)
    print(shape, last.stride(), last is x, x.contiguous(memory_format=torch.channels_last).stride())
    print(last.to(memory_format=torch.channels_last) is last, last.double().stride(), x.double().stride())
    first = last.to(memory_format=torch.contiguous_format)
    print(first.stride(), first.to(memory_format=torch.contiguous_format) is first)
    print(x.to(torch.float64, memory_format=torch.channels_last).stride())
print(torch.zeros(2, 1, 3, 3, 3).to(memory_format=torch.channels_last_3d).stride())
turned = torch.zeros(2, 3).t()
print(turned.to(memory_format=torch.contiguous_format) is turned)
