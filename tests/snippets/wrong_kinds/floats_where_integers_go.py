# Floats where integers go, and tensors with a gradient where numbers go, are refused
import torch
import torch.nn as nn
import torch.nn.functional as F

x, image = torch.ones(2, 2), torch.ones(1, 1, 4, 4)
factor = torch.tensor(1.0, requires_grad=True)
calls = [
    lambda: F.pad(x, (1.0, 1.0)),
    lambda: F.pad(x, (1, 1.5)),
    lambda: F.pad(image, [1.0, 1], mode="reflect"),
    lambda: nn.ZeroPad2d(1.0)(image),
    lambda: nn.ReplicationPad2d((1, 1, 1.0, 1))(image),
    lambda: F.one_hot(torch.tensor([1]), 3.0),
    lambda: torch.tril(x, 1.0),
    lambda: x.triu(1.5),
    lambda: x.tril_(1.0),
    lambda: F.layer_norm(x, (2.0,)),
    lambda: F.rms_norm(x, (2.0,)),
    lambda: F.interpolate(image, size=2.0),
    lambda: F.interpolate(image, size=(2.0, 2)),
    lambda: F.interpolate(image, size=[3.5, 2], mode="bilinear"),
    lambda: nn.Upsample(size=4.0)(image),
    lambda: x.rot90(1.0),
    lambda: x.matrix_power(2.0),
    lambda: torch.add(x, x, alpha=factor),
    lambda: torch.sub(x, x, alpha=torch.ones(1)),
    lambda: torch.addcmul(x, x, x, value=factor),
    lambda: torch.addmm(x, x, x, beta=factor),
    lambda: x.clone().add_(x, alpha=factor),
    lambda: x.clone().addcdiv_(x, x, value=factor),
]
for call in calls:
    try:
        print(call())
    except TypeError as error:
        print(error)
print(torch.tril(x, torch.tensor(1)), F.pad(x, (1, torch.tensor(1))), torch.add(x, x, alpha=torch.tensor(2.0)))
