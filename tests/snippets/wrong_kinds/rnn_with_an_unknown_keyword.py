# TypeError: RNNBase.__init__() got an unexpected keyword argument 'norm_first'
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.RNN(2, 3, norm_first=True)
