# Which leaves does a loss depend on?
import torch

def leaves_of(tensor):
    seen, stack, found = set(), [tensor.grad_fn], []
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        stack.extend(fn for fn, _ in node.next_functions)
    return found, len(seen)

params = {name: torch.full((n,), float(n), requires_grad=True) for n, name in enumerate(["a", "b", "c"], start=1)}
loss = params["a"].sum() * params["c"].prod() + params["a"].mean()
found, count = leaves_of(loss)
names = sorted(n for n, p in params.items() if any(p is f for f in found))
print(names, "unused:", sorted(set(params) - set(names)), "nodes:", count)
