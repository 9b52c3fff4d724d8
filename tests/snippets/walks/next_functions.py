# Walk the graph one next_functions at a time
import torch

x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0)
z = torch.tensor(3.0, requires_grad=True)
out = (x * y + z.exp()).log()
print(out.grad_fn.name(), out.grad_fn.next_functions[0][0].name())
fn = out.grad_fn.next_functions[0][0]
print(len(fn.next_functions))
mul, exp = [f for f, _ in fn.next_functions]
print(mul.name(), mul.next_functions[1])
print(exp.name(), exp.next_functions[0][0].name())
leaf = exp.next_functions[0][0]
print(leaf.variable is z, leaf.variable)
print(hasattr(mul, "variable"), x.grad_fn is None)
