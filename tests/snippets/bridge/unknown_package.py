# ModuleNotFoundError: No module named 'torchvision'
import torch.nn.functional as F, torchvision
