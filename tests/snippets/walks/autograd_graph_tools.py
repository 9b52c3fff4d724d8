# torch.autograd.graph: nodes, edges, metadata, hooks on nodes, saved tensors, get_gradient_edge
import torch
from torch.autograd.graph import get_gradient_edge, Node, register_multi_grad_hook, saved_tensors_hooks, save_on_cpu, disable_saved_tensors_hooks

def walk(fn, depth=0, seen=None):
    seen = set() if seen is None else seen
    if fn is None:
        print("  " * depth + "None"); return
    print("  " * depth + fn.name(), "(seen)" if fn in seen else "")
    if fn in seen: return
    seen.add(fn)
    for nxt, idx in fn.next_functions:
        walk(nxt, depth + 1, seen)

a = torch.tensor([1., 2.], requires_grad=True)
b = torch.tensor([3., 4.], requires_grad=True)
c = a * b
d = c.sin() + c
e, f = d.chunk(2)
loss = (e * f).sum() + a.mean()
walk(loss.grad_fn)
print(isinstance(loss.grad_fn, Node), c.grad_fn._saved_self is a, c.grad_fn._saved_other, d.grad_fn.next_functions[0][0]._saved_self is c)
print(e.grad_fn is f.grad_fn, e.output_nr, f.output_nr, loss.grad_fn._sequence_nr() > c.grad_fn._sequence_nr())
edge = get_gradient_edge(c)
print(edge.node.name(), edge.output_nr)
print(torch.autograd.grad(loss, [edge, a], retain_graph=True))
c.grad_fn.metadata["note"] = "product"
print(c.grad_fn.metadata)
calls = []
h = register_multi_grad_hook([a, b], lambda grads: calls.append([g is not None for g in grads]))
h2 = register_multi_grad_hook([a, b], lambda g: calls.append(("any", g.shape)), mode="any")
loss.backward(retain_graph=True)
print(calls)
h.remove(); h2.remove()
acc = c.grad_fn.next_functions[0][0]
print(acc.variable is a, acc.name())
acc.register_prehook(lambda g: print("before accumulate", g[0]))
acc.register_hook(lambda gi, go: print("after accumulate", gi, a.grad is not None))
a.grad = None
loss.backward(inputs=[a], retain_graph=True)
print(a.grad, b.grad)
with save_on_cpu():
    y = a.exp() * b
y.sum().backward()
try:
    with disable_saved_tensors_hooks("not here"):
        with saved_tensors_hooks(lambda t: t, lambda t: t):
            pass
except RuntimeError as err:
    print(err)
with torch.autograd.graph.allow_mutation_on_saved_tensors():
    p = torch.ones(2, requires_grad=True)
    q = p.clone()
    r = q ** 2
    q.mul_(10)
    r.sum().backward()
    print(p.grad)
print(torch.autograd.graph.increment_version(q), q._version)
