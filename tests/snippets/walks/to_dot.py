# Export the graph as DOT text
import torch

def to_dot(root):
    ids, lines = {}, []
    def visit(fn):
        if fn in ids:
            return ids[fn]
        ids[fn] = name = f"n{len(ids)}"
        lines.append(f'  {name} [label="{fn.name()}"];')
        for next_fn, _ in fn.next_functions:
            if next_fn is not None:
                target = visit(next_fn)
                lines.append(f"  {name} -> {target};")
        return name
    visit(root)
    return "digraph {\n" + "\n".join(lines) + "\n}"

a = torch.tensor(1.0, requires_grad=True)
b = a * 2
c = b + b ** 2
print(to_dot(c.grad_fn))
