# Bases of layers, optimizers, schedulers and distributions, in the order in which Python looks names up
import torch
from torch import nn, optim
from torch.distributions import Beta, Binomial, Geometric, HalfNormal, LogNormal, RelaxedBernoulli, transforms
from torch.optim import lr_scheduler

for cls in (
    nn.Linear, nn.Conv2d, nn.ConvTranspose1d, nn.ZeroPad2d, nn.ConstantPad1d, nn.FractionalMaxPool2d, nn.LazyConv1d,
    nn.LazyConvTranspose2d, nn.LazyLinear, nn.BatchNorm2d, nn.InstanceNorm1d, nn.MaxPool2d, nn.AdaptiveAvgPool1d, nn.GRU,
    nn.LSTMCell, nn.CrossEntropyLoss, nn.MSELoss, nn.Sequential, nn.EmbeddingBag, nn.TransformerEncoderLayer,
    optim.SGD, optim.AdamW, optim.LBFGS, lr_scheduler.StepLR, lr_scheduler.SequentialLR, lr_scheduler.ChainedScheduler,
    lr_scheduler.OneCycleLR, lr_scheduler.CyclicLR, lr_scheduler.ReduceLROnPlateau, Beta, Binomial, Geometric, HalfNormal,
    LogNormal, RelaxedBernoulli, transforms.CatTransform, transforms.StackTransform, transforms.ExpTransform,
):  # fmt: skip
    print(cls.__name__, [base.__name__ for base in cls.__mro__][1:-1], cls.__bases__[0].__name__)
print([name for name in vars(nn.Conv2d) if "visible" in name], issubclass(nn.Conv2d, nn.modules.conv._ConvNd))

torch.manual_seed(0)
model = nn.Linear(2, 1)
search = optim.LBFGS(model.parameters())
try:
    search.step(None)
except TypeError as e:
    print(e)
