# `super(C)` without an instance, as PyTorch's documentation of IterableDataset has it
import torch


class Numbers(torch.utils.data.IterableDataset):
    def __init__(self, start, end):
        super(Numbers).__init__()
        self.start, self.end = start, end

    def __iter__(self):
        return iter(range(self.start, self.end))


print(list(torch.utils.data.DataLoader(Numbers(3, 7), batch_size=2)))


class A:
    pass


print(super(A), type(super(A)))
try:
    super(A).forward
except AttributeError as error:
    print(error)
