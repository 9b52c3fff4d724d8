# Classes that torch.load may load as weights, and names of PyTorch that stand in two modules
import torch
import torch.nn as nn
from torch.autograd import anomaly_mode
from torch.functional import einsum, norm
from torch.nn.modules.utils import _ntuple, _pair, _reverse_repeat_tuple
from torch.optim.adamw import AdamW
from torch.types import Tensor

torch.manual_seed(0)


def load(name):
    try:
        print(torch.load(name))
    except Exception as e:
        print(type(e).__name__, str(e)[-680:-200])


def nets():
    torch.save({"net": nn.Sequential(nn.Linear(2, 1), nn.ReLU())}, "net.pt")
    for allowed in ([], [nn.Sequential], [nn.Sequential, nn.Linear, nn.ReLU]):
        with torch.serialization.safe_globals(allowed):
            load("net.pt")
    torch.serialization.add_safe_globals([nn.Sequential, nn.Linear, nn.ReLU])
    found = torch.load("net.pt")
    print(found["net"])
    torch.serialization.clear_safe_globals()
    load("net.pt")


nets()
print(_pair(3), _pair([1, 2]), _ntuple(3)(0.5), _reverse_repeat_tuple((1, 2), 2))
print(AdamW is torch.optim.AdamW, Tensor is torch.Tensor, torch.nn.modules.utils._single(1))
w = torch.tensor([0.0, 4.0], requires_grad=True)
with anomaly_mode.detect_anomaly():
    try:
        (torch.sqrt(w) * torch.tensor([0.0, 1.0])).sum().backward()
    except RuntimeError as e:
        print(e)
print(einsum("i,i->", w, w), norm(w), torch.functional.split(w, 1)[1], torch.serialization.load is torch.load)
