# random and numpy seeds beside torch's
import random
import numpy as np
import torch

def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)

set_seed(123)
a = (random.random(), random.randint(1, 6), random.choice("abc"), np.random.rand(2), torch.rand(2))
set_seed(123)
b = (random.random(), random.randint(1, 6), random.choice("abc"), np.random.rand(2), torch.rand(2))
print(a)
print(a[:3] == b[:3], np.array_equal(a[3], b[3]), torch.equal(a[4], b[4]))
items = list(range(6))
random.shuffle(items)
print(items, random.sample(range(100), 3), random.uniform(0, 1), random.gauss(0, 1))
print(np.random.randn(2, 2), np.random.randint(0, 10, 3), np.random.choice(5, 2), np.random.permutation(4))
