# A walk along next_functions
import torch
a = torch.tensor(2., requires_grad=True); b = a * 3; c = b.exp()
def walk(fn, depth=0):
    if fn is None: return
    print(' ' * depth + type(fn).__name__, fn.name(), [x[1] for x in fn.next_functions], getattr(fn, 'variable', None))
    for f, _ in fn.next_functions: walk(f, depth + 1)
walk(c.grad_fn)
print(c.grad_fn._saved_result, b.grad_fn._saved_other, c.grad_fn.next_functions[0][0] is b.grad_fn)
b.retain_grad(); c.backward(); print(a.grad, b.grad, a.is_leaf, b.is_leaf)
c.backward()
