# Printing the graph recursively with depth, variables and saved values, as dot
import torch
import torch.nn as nn
torch.manual_seed(0)
x = torch.randn(2, 3)
fc = nn.Linear(3, 2)
act = nn.ReLU()
loss = nn.MSELoss()(act(fc(x)), torch.zeros(2, 2))

def print_graph(g, level=0):
    if g is None: return
    print('*' * level * 4, g.name() if hasattr(g, "name") else g)
    for subg in g.next_functions:
        if subg[0] is not None:
            print_graph(subg[0], level + 1)
print_graph(loss.grad_fn, 0)
params = {id(p): n for n, p in fc.named_parameters()}
ids, lines = {}, []
def dot(fn):
    if fn in ids: return ids[fn]
    ids[fn] = f"n{len(ids)}"
    label = type(fn).__name__.replace("Backward0", "")
    if hasattr(fn, "variable"):
        label = f"{params[id(fn.variable)]} {tuple(fn.variable.shape)}"
    lines.append(f'{ids[fn]} [label="{label}"];')
    for nxt, _ in fn.next_functions:
        if nxt is not None:
            lines.append(f"{ids[fn]} -> {dot(nxt)};")
    return ids[fn]
dot(loss.grad_fn)
print("digraph {\n  " + "\n  ".join(lines) + "\n}")
fn = loss.grad_fn
while fn is not None:
    saved = sorted(a for a in dir(fn) if a.startswith("_saved"))
    print(type(fn).__name__, saved)
    fn = fn.next_functions[0][0] if fn.next_functions else None
m = loss.grad_fn
print(m._saved_reduction, m._saved_self.shape, m._saved_target.sum())
def depth(fn):
    return 0 if fn is None else 1 + max((depth(n) for n, _ in fn.next_functions), default=0)
print(depth(loss.grad_fn), len(ids), sum(hasattr(f, "variable") for f in ids))
loss.backward()
try:
    m._saved_self
except RuntimeError as e:
    print(str(e)[:70])
print(fc.weight.grad_fn, fc.weight.grad.grad_fn, (fc.weight * 1).grad_fn.next_functions[0][0].variable is fc.weight)
