# Reading a graph by hand: next_functions, saved tensors, metadata, sequence numbers
import torch
a = torch.tensor([2., 3.], requires_grad=True)
b = torch.tensor([6., 4.], requires_grad=True)
Q = 3 * a ** 3 - b ** 2
fn = Q.grad_fn
print(fn, fn.name(), len(fn.next_functions))
stack, seen = [(fn, 0)], set()
while stack:
    f, d = stack.pop()
    print("  " * d + (f.name() if f else "None"))
    if f is None or f in seen: continue
    seen.add(f)
    stack.extend((n, d + 1) for n, _ in reversed(f.next_functions))
mul = fn.next_functions[0][0]
print(mul._saved_self, mul._saved_other)
p = mul.next_functions[0][0]
print(p._saved_exponent, p._saved_self, p.next_functions[0][0].variable is a)
print(fn.metadata, fn.requires_grad if hasattr(fn, "requires_grad") else "")
print(isinstance(fn, torch.autograd.graph.Node), torch.autograd.graph.get_gradient_edge(Q))
Q.backward(gradient=torch.tensor([1., 1.]))
print(9 * a ** 2 == a.grad, -2 * b == b.grad)
try:
    print(p._saved_self)
except RuntimeError as e:
    print(str(e)[:80])
