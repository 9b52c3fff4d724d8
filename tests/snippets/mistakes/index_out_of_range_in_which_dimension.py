# Which index, and of which dimension, is out of range: of several the first, and only dimensions with an index count
import torch

x = torch.arange(24.0).reshape(2, 3, 4)
line = torch.zeros(5)
square = torch.zeros(3, 3)
far = torch.tensor([1, 9, -9])


def refused(call):
    try:
        call()
    except (IndexError, RuntimeError) as error:
        print(type(error).__name__, error)


refused(lambda: x[:, [0, 7]])
refused(lambda: x[..., far])
refused(lambda: x[:, torch.tensor([0]), far])
refused(lambda: x[torch.tensor([0]), :, far])
refused(lambda: x[0, :, far])
refused(lambda: x[None, :, far])
refused(lambda: x[torch.ones(2, 3) > 0, [9]])
refused(lambda: x[[0, 5], [9, 0]])
refused(lambda: x[[0, 5], [0, 1, 2]])
refused(lambda: x[:, [[0], [7]], [1, 9]])
refused(lambda: x.clone().__setitem__((slice(None), far), 1.0))
for dim in range(3):
    refused(lambda: x.index_select(dim, far))
    refused(lambda: x.index_add(dim, torch.tensor([9]), x.narrow(dim, 0, 1)))
refused(lambda: line.index_select(0, far))
refused(lambda: line.index_add(0, far, torch.ones(3)))
refused(lambda: line.index_copy(0, far, torch.ones(3)))
refused(lambda: line.index_fill(0, far, 1.0))
refused(lambda: line.take(far))
refused(lambda: line.put(far, torch.ones(3)))
refused(lambda: line.gather(0, far))
refused(lambda: line.scatter(0, far, 1.0))
refused(lambda: square.index_add(1, far, torch.ones(3, 3)))
refused(lambda: square.scatter_add(0, far.expand(3, 3), torch.ones(3, 3)))
