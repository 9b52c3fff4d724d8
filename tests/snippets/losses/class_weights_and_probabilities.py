# What cross_entropy and nll_loss check of weights, of targets that are probabilities, and of images of bytes
import torch
import torch.nn.functional as F

torch.manual_seed(0)
scores, images = torch.randn(2, 3, requires_grad=True), torch.randn(2, 3, 2, requires_grad=True)
classes, maps = torch.tensor([0, 2]), torch.zeros(2, 2, dtype=torch.long)


def tried(f):
    try:
        loss = f()
        loss.backward()
        print(loss)
    except RuntimeError as e:
        print(e)


for weight in (torch.ones(4), torch.tensor(1.0), torch.ones(1, 3)):
    tried(lambda: F.cross_entropy(scores, classes, weight))
    tried(lambda: F.cross_entropy(images, maps, weight))
    tried(lambda: F.nll_loss(images, maps, weight))
    tried(lambda: F.cross_entropy(scores, scores.detach().softmax(1), weight))
probabilities = images.detach().softmax(1)
tried(lambda: F.cross_entropy(images, probabilities, torch.ones(3), label_smoothing=0.1))
for smoothing in (-0.1, 0.1, 1.5):
    tried(lambda: F.cross_entropy(images, probabilities, label_smoothing=smoothing))
    tried(lambda: F.cross_entropy(images, probabilities, ignore_index=1, label_smoothing=smoothing))
    tried(lambda: F.cross_entropy(images, probabilities, ignore_index=-1, label_smoothing=smoothing))
tried(lambda: F.nll_loss(scores, classes.to(torch.uint8)))
tried(lambda: F.nll_loss(images, maps.to(torch.uint8)))
tried(lambda: F.cross_entropy(images, maps.to(torch.uint8), label_smoothing=0.1))
print(scores.grad, images.grad)
