# batched gradients of None: of a single number, and of one number in a list
import torch
x = torch.ones(1, requires_grad=True)
for y in (x.sum(), x * 2, (x * 2).reshape(1, 1), (x*2).reshape(1,1,1)):
    try: torch.autograd.grad(y, x, is_grads_batched=True)
    except Exception as e: print(type(e).__name__, e)
try: torch.autograd.grad(x*2, x, torch.ones(3, 2), is_grads_batched=True)
except Exception as e: print(type(e).__name__, e)
try: torch.autograd.grad((x*2).expand(2,3), x, torch.ones(3, 2), is_grads_batched=True)
except Exception as e: print(type(e).__name__, e)
