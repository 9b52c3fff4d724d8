# the graph of an LSTM's gradient, which PyTorch computes by back-propagation through time in differentiable ops
import torch
def walk(node, depth=0, seen=None):
    seen = set() if seen is None else seen
    print(" " * depth + node.name(), [m and m.name() for m, _ in node.next_functions], node in seen)
    if node not in seen:
        seen.add(node)
        for after, _ in node.next_functions:
            if after is not None: walk(after, depth + 1, seen)
torch.manual_seed(0)
for steps, bias in ((1, True), (2, True), (2, False)):
    lstm = torch.nn.LSTM(2, 3, batch_first=True, bias=bias)
    x = torch.randn(2, steps, 2, requires_grad=True)
    g, = torch.autograd.grad(lstm(x)[0].sum(), x, create_graph=True)
    walk(g.grad_fn)
    g.pow(2).sum().backward()
    print([round(t, 3) for t in x.grad.flatten().tolist()], [round(float(p.grad.norm()), 3) for p in lstm.parameters() if p.grad is not None])
