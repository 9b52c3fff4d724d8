# Imports in every common form
import torch.nn.functional as F, torch.optim as optim
from torch import nn, Tensor, optim as o2, autograd
from torch.autograd import Variable, grad, Function, gradcheck
from torch.autograd.function import once_differentiable, FunctionCtx
from torch.nn import Module, Linear, Parameter, init, functional
from torch.nn.parameter import Parameter as P2
from torch.nn.utils import clip_grad_norm_, parameters_to_vector
from torch.nn.utils.rnn import pack_padded_sequence
from torch.optim import Adam, SGD, lr_scheduler
from torch.optim.optimizer import Optimizer, required
from torch.utils.data import Dataset, DataLoader
from torch.distributions.normal import Normal
from torch.distributions import constraints, kl
import torch, torch.cuda, torch.backends.cudnn as cudnn, torch.utils.checkpoint as cp, torch.linalg as LA, torch.fft, torch.special, torch.func
from torch.utils.checkpoint import checkpoint
from torch.autograd.graph import Node, saved_tensors_hooks
from torch.utils.hooks import RemovableHandle
print(P2 is Parameter, issubclass(Adam, Optimizer), F.relu(torch.tensor(-1.)), required, Normal(0., 1.).mean, Tensor is torch.Tensor)
