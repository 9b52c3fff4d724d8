# What is integrated and differentiated of whole numbers is in the default dtype
import torch

for dtype in (torch.int64, torch.int32, torch.uint8, torch.bool, torch.float64):
    y = torch.tensor([1, 0, 1, 1]).to(dtype)
    x = torch.tensor([1, 3, 6, 7])
    for ask in (
        lambda: torch.trapezoid(y),
        lambda: torch.trapezoid(y, dx=2.5),
        lambda: torch.trapezoid(y, x),
        lambda: torch.cumulative_trapezoid(y),
        lambda: torch.cumulative_trapezoid(y, x),
        lambda: torch.gradient(y),
        lambda: torch.gradient(y, spacing=(x,)),
        lambda: torch.gradient(y, spacing=(x,), edge_order=2),
        lambda: torch.gradient(y, edge_order=2),
    ):
        try:
            print(dtype, ask())
        except RuntimeError as error:
            print(dtype, "RuntimeError", error)

print(torch.nonzero_static(torch.tensor(10), size=2).shape, torch.nonzero_static(torch.tensor([0, 4]), size=2))

rows = torch.nn.utils.rnn.pad_sequence([torch.ones(3, 2), torch.ones(2, 2)])
parts = torch.nn.utils.rnn.unpad_sequence(rows, torch.tensor([3, 2]))
print(rows.shape, [part.shape for part in parts])
