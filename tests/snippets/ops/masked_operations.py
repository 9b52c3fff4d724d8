# masked_fill, masked_select, where with scalars, clamp with tensors, nan handling
import torch

x = torch.tensor([[1.0, float("nan")], [3.0, -1.0]], requires_grad=True)
clean = torch.nan_to_num(x, nan=0.0)
clean.pow(2).sum().backward()
print(clean, x.grad)
x.grad = None
sel = torch.masked_select(x, ~x.isnan())
sel.prod().backward()
print(sel, x.grad)
print(torch.where(x > 0, x, -1.0), torch.nanmean(x), torch.nansum(x, dim=1), x.detach().clamp(min=torch.tensor(0.0)))
print(x.isfinite(), torch.isclose(x, x, equal_nan=True), x.detach().masked_fill(x.isnan(), 9), (x == x).all())
m = torch.ones(2, 2).masked_fill(torch.eye(2, dtype=torch.bool), float("-inf"))
print(torch.softmax(m, dim=1), torch.nanquantile(x.detach(), 0.5))
