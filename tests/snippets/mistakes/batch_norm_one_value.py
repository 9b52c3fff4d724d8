# BatchNorm needs more than one value per channel in training
import torch
import torch.nn as nn

bn = nn.BatchNorm1d(3)
print(bn.eval()(torch.ones(1, 3)))
bn.train()(torch.ones(1, 3))
