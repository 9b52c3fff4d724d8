# What functions are called, printed or asked
import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F

for function in (F.relu, F.softmax, F.log_softmax, F.gelu, F.cross_entropy, torch.sigmoid, torch.embedding):
    print(function.__name__)
print([getattr(torch, name).__name__ for name in ("hsplit", "vsplit", "dsplit", "atleast_1d", "atleast_3d", "batch_norm", "range")])
print(F.softmax, plt.show, plt.plot)


class Plot:
    show = plt.show


print(Plot.show)
