# The Jacobian row by row with one-hot gradients
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.stack([x[0] ** 2 + x[1], 3 * x[0] * x[1], torch.sin(x[1])])
rows = []
for i in range(len(y)):
    one_hot = torch.zeros(3)
    one_hot[i] = 1.0
    x.grad = None
    y.backward(gradient=one_hot, retain_graph=True)
    rows.append(x.grad.clone())
    print(f"row {i}: {x.grad.tolist()}")
J = torch.stack(rows)
print(J)
print("shape", tuple(J.shape))
