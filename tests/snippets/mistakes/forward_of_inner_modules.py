# Which class a complaint names when forward gets too little: the innermost module's, as it was written, not as derived
import torch
import torch.nn as nn


class Conv(nn.Conv2d):
    pass


def tried(f):
    try:
        f()
    except TypeError as e:
        print(e)


x = torch.ones(1, 2)
tried(lambda: nn.Sequential(nn.MaxUnpool2d(2))(x))
tried(lambda: nn.Sequential(nn.Sequential(nn.MaxUnpool3d(2)))(x))
tried(lambda: nn.Sequential(nn.GRUCell(2, 2), nn.Bilinear(1, 1, 1))(x))
tried(lambda: nn.Sequential(nn.ReLU())(x, x))
tried(lambda: nn.Sequential(nn.ReLU())())
tried(lambda: Conv(1, 1, 1)())
tried(lambda: Conv())
tried(lambda: nn.ZeroPad2d(1)())
tried(lambda: nn.utils.parametrizations.weight_norm(nn.Conv3d(1, 1, 1))())
tried(lambda: nn.ModuleDict({"a": nn.Linear(1, 1)})["a"]())
nn.Sequential(nn.Flatten(), nn.MaxUnpool1d(2))(x)
