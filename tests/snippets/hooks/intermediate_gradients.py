# Store the gradients of intermediate results in a dict
import torch

grads = {}

def save_grad(name):
    def hook(grad):
        grads[name] = grad
    return hook

x = torch.randn(1, requires_grad=True, generator=torch.Generator().manual_seed(3))
y = 3 * x
z = y ** 2
y.register_hook(save_grad("y"))
z.register_hook(save_grad("z"))
z.backward()
print(x.grad is not None, y.retains_grad)
for key in sorted(grads):
    print(key, grads[key].shape, grads[key].item() / (1 if key == "z" else x.item()))
