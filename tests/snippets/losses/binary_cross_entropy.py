# BCE on probabilities, BCE on logits, and saturation
import torch
import torch.nn as nn

logits = torch.tensor([0.0, 3.0, -200.0], requires_grad=True)
y = torch.tensor([1.0, 0.0, 1.0])
a = nn.BCEWithLogitsLoss(reduction="none")(logits, y)
b = nn.BCELoss(reduction="none")(torch.sigmoid(logits), y)
print(a, b, sep="\n")
a.sum().backward()
print("with logits:", logits.grad)
logits.grad = None
b.sum().backward()
print("after sigmoid:", logits.grad)
print(nn.BCEWithLogitsLoss(pos_weight=torch.tensor(3.0))(logits[:2], y[:2]).item())
