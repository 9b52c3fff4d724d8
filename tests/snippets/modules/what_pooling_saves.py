# What the nodes of pooling save, by the names that PyTorch gives it.
import torch
import torch.nn.functional as F

x = torch.arange(16.0).reshape(1, 1, 4, 4).requires_grad_()
flat = F.max_pool2d(x, 2).grad_fn
print(flat._saved_result1.tolist(), flat._saved_kernel_size, flat._saved_ceil_mode)
deep = F.max_pool3d(x[None], (1, 2, 2)).grad_fn
print(deep._saved_result1.shape, deep._saved_self.shape)
row = F.max_pool1d(x[0, 0], 2, return_indices=True)
print(row[1].tolist())
