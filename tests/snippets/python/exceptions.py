# try, except, else, finally, raise from, custom exceptions
import torch

class NotConverged(Exception):
    def __init__(self, steps, value):
        super().__init__(f"not converged after {steps} steps (value {value:.3f})")
        self.steps = steps

def solve(lr, steps=3):
    x = torch.tensor(1.0, requires_grad=True)
    for _ in range(steps):
        y = x ** 2
        y.backward()
        with torch.no_grad():
            x -= lr * x.grad
            x.grad = None
    if abs(x.item()) > 0.1:
        raise NotConverged(steps, x.item())
    return x.item()

for lr in (0.5, 0.1, "a"):
    try:
        result = solve(lr)
    except NotConverged as e:
        print("caught:", e, "|", e.steps, e.args)
    except (TypeError, ValueError) as e:
        print(type(e).__name__)
    else:
        print("ok", result)
    finally:
        print("done with", lr)
try:
    try:
        {}["missing"]
    except KeyError as e:
        raise RuntimeError("wrapped") from e
except RuntimeError as e:
    print(e, "<-", repr(e.__cause__))
assert solve(0.5) == 0.0, "must be zero"
