# TypeError: hidden_size should be of type int, got: str
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
nn.LSTM(2, 'a')
