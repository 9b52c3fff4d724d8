# Margin losses and multi-label targets
import torch
import torch.nn as nn

x = torch.tensor([[0.2, 0.8, -0.4], [1.0, 0.1, 0.3]], requires_grad=True)
y = torch.tensor([1, 2])
for loss in (nn.MultiMarginLoss(), nn.MultiMarginLoss(p=2, margin=0.5), nn.NLLLoss(), nn.CrossEntropyLoss(reduction="sum")):
    x.grad = None
    l = loss(x, y)
    l.backward()
    print(type(loss).__name__, l.item(), x.grad)
t = torch.tensor([[1., 0., 1.], [0., 1., 1.]])
for loss in (nn.MultiLabelSoftMarginLoss(), nn.BCEWithLogitsLoss(weight=torch.tensor([1., 2., 0.5])), nn.SoftMarginLoss()):
    x.grad = None
    l = loss(x, t * 2 - 1 if isinstance(loss, nn.SoftMarginLoss) else t)
    l.backward()
    print(type(loss).__name__, l.item(), x.grad)
print(nn.CosineEmbeddingLoss(margin=0.1)(x, x.detach() + 1, torch.tensor([1., -1.])), nn.PoissonNLLLoss()(x, t), nn.GaussianNLLLoss()(x, t, torch.ones(2, 3)))
