# Seeds of all generators
from __future__ import print_function
import torch, time, os, sys, random
import numpy as np
random.seed(0); np.random.seed(0); torch.manual_seed(0); torch.backends.cudnn.deterministic = True; torch.backends.cudnn.benchmark = False
os.environ['CUDA_VISIBLE_DEVICES'] = '0'
start = time.time()
for i in range(2): pass
el = time.time() - start
print(el >= 0, sys.argv[0] is not None)
a = np.random.randn(2); t = torch.tensor(a, dtype=torch.float32); print(t)
print('a', file=sys.stderr); print('b', flush=True)
