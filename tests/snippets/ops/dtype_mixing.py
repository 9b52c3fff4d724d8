# Type promotion, and gradients that come back in the leaf's dtype
import torch

f32 = torch.tensor([1.0, 2.0], requires_grad=True)
f64 = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
i64 = torch.tensor([1, 2])
b = torch.tensor([True, False])
out = f32 * f64 + i64
print(out.dtype, (f32 + i64).dtype, (i64 / 2).dtype, (b + 1).dtype, (i64 * 1.5).dtype, (f32 * 2.0).dtype)
out.sum().backward()
print(f32.grad, f32.grad.dtype)
print(f64.grad, f64.grad.dtype)
print(out.grad_fn.next_functions[0][0].next_functions[0][0].name())
h = f32.half()
print(h, h.grad_fn.name(), f32.double().grad_fn.name())
print(torch.result_type(f32, i64), torch.promote_types(torch.int32, torch.float16), torch.can_cast(torch.float32, torch.int32))
