# A node hook may replace the gradients a node returns
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
z = x * y
node = z.grad_fn
print(node.name(), len(node.next_functions))

def hook(grad_inputs, grad_outputs):
    print("grad_outputs", grad_outputs)
    print("grad_inputs ", grad_inputs)
    return grad_inputs[0] * 0, grad_inputs[1]

handle = node.register_hook(hook)
z.sum().backward()
print(x.grad, y.grad)
handle.remove()
(x * y).sum().backward()
print(x.grad, y.grad)
