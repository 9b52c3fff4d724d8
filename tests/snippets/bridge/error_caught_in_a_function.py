# Errors that functions catch and raise
import torch
def train():
    x = torch.tensor([1., 2.], requires_grad=True)
    y = x * 2
    y.backward()
try:
    train()
except RuntimeError as e:
    print('Error:', e); print(type(e), e.args, isinstance(e, RuntimeError))
try: torch.ones(2) @ torch.ones(3)
except Exception as e: print(type(e).__name__, str(e))
try: torch.linalg.inv(torch.zeros(2, 2))
except torch.linalg.LinAlgError as e: print('linalg', isinstance(e, RuntimeError))
try: torch.tensor([1, 2]).requires_grad_()
except RuntimeError as err: msg = str(err); print(msg.upper())
x = torch.ones(2, requires_grad=True)
try:
    x += 1
except RuntimeError as e:
    print(f'{e}')
with torch.no_grad(): x += 1
print(x)
def safe(f, *a):
    try: return f(*a)
    except (TypeError, ValueError) as e: return f'{type(e).__name__}: {e}'
print(safe(lambda: torch.tensor('a')), safe(torch.cat, []), safe(lambda: torch.ones(2)(1)))
raise ValueError(f'bad {x.shape}')
