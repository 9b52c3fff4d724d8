"""Arithmetic on numpy arrays as PyTorch's kernels do it; nothing here knows tensors or ops."""
