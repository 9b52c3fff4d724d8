# tree_map over parameters with the private pytree module
import torch
from torch.utils._pytree import tree_map, tree_flatten, tree_unflatten
t = {"a": torch.ones(2), "b": [torch.zeros(1), 3]}
print(tree_map(lambda v: v * 2, t)); leaves, spec = tree_flatten(t); print(leaves, tree_unflatten([1, 2, 3], spec))
