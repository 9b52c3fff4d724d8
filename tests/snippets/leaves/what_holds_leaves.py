# Leaves that no variable names: in objects, in lists of lists, in dicts, and in what a loop's variable goes through
import torch

torch.manual_seed(0)


class Neuron:
    def __init__(self, inputs):
        self.w = [torch.randn(1, requires_grad=True) for _ in range(inputs)]
        self.b = torch.zeros(1, requires_grad=True)

    def __call__(self, x):
        return torch.tanh(sum(w * v for w, v in zip(self.w, x)) + self.b)

    def parameters(self):
        return [*self.w, self.b]


class Layer:
    def __init__(self, inputs, outputs):
        self.neurons = [Neuron(inputs) for _ in range(outputs)]

    def __call__(self, x):
        return [neuron(x) for neuron in self.neurons]


layers = [Layer(2, 2), Layer(2, 1)]
x = [torch.tensor([1.0]), torch.tensor([-2.0])]
for layer in layers:
    x = layer(x)
parameters = [p for layer in layers for neuron in layer.neurons for p in neuron.parameters()]
for p in parameters:
    p.grad = None
x[0].backward()
print([round(p.grad.item(), 4) for p in parameters])

params = {"enc": {"w": torch.ones(2, requires_grad=True)}, "dec": (torch.full((2,), 2.0, requires_grad=True),)}
(params["enc"]["w"] * params["dec"][0]).sum().backward()
print(params["enc"]["w"].grad, params["dec"][0].grad)

pairs = [(torch.full((1,), k + 1.0, requires_grad=True), torch.zeros(1, requires_grad=True)) for k in range(3)]
h = torch.ones(1)
for w, b in pairs:
    h = torch.relu(h * w + b)
h.backward()
for w, b in pairs:
    print(w.grad, b.grad)
