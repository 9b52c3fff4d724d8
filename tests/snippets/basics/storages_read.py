# The memory of tensors read as storages: elements, bytes, texts, what two tensors share
import torch
x = torch.arange(6.).reshape(2, 3)
s, u = x.storage(), x.untyped_storage()
print(s, type(s), s.dtype, s.device, len(s), s.size(), s.element_size(), s.nbytes(), s.type(), s[1], s[-1], list(s), s.tolist())
print(u, type(u), u.device, len(u), u.element_size(), u.nbytes(), u.type(), u[-1], list(u)[:8], u.is_cuda, u.is_shared())
print(s.untyped().nbytes(), s.data_ptr() == x.data_ptr(), u.data_ptr() == x[1].untyped_storage().data_ptr(), x[1].storage_offset())
print(torch.tensor([True, False]).storage(), torch.tensor([1, 2]).storage(), torch.tensor([1 + 2j]).storage(), x.T.storage()[1])
print(x.clone().untyped_storage().data_ptr() == u.data_ptr(), x.view(6).untyped_storage().data_ptr() == u.data_ptr(), torch.is_storage(s))
x[0, 0] = 9.; print(s[0], s.tolist())
for use in (lambda: s[10], lambda: u[100], lambda: s['a'], lambda: u['a'], lambda: s[1:3]):
    try: print(use())
    except Exception as e: print(type(e).__name__, e)
