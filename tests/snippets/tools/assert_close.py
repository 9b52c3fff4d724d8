# torch.testing.assert_close: what it accepts, and how it says what is off
import torch
from torch.testing import assert_close

a = torch.tensor([1.0, 2.0, 3.0])
assert_close(a, a + 1e-7)
assert_close([a, 1.0], [a.clone(), 1.0])
assert_close({"x": a}, {"x": a.double()}, check_dtype=False)
assert_close(a, torch.tensor([1.0, 2.1, 3.0]), rtol=0.1, atol=0.0)
assert_close(torch.tensor([float("nan")]), torch.tensor([float("nan")]), equal_nan=True)
x = torch.tensor(0.7, requires_grad=True)
x.sin().backward()
assert_close(x.grad, torch.cos(x.detach()))
tests = [
    lambda: assert_close(a, torch.tensor([1.0, 2.5, 4.0])),
    lambda: assert_close(a, a[:2]),
    lambda: assert_close(a, a.double()),
    lambda: assert_close(torch.tensor(1.0), torch.tensor(2.0)),
    lambda: assert_close(1.0, 1.1),
    lambda: assert_close(torch.tensor([1, 2]), torch.tensor([1, 5])),
    lambda: assert_close([a, {"k": a}], [a, {"k": a + 1}]),
    lambda: assert_close({"a": 1}, {"b": 1}),
    lambda: assert_close([1.0], [1.0, 2.0]),
    lambda: assert_close(a, [1.0, 2.0, 3.0]),
    lambda: assert_close(a, a + 1, msg="the layer is wrong"),
    lambda: assert_close(a, a + 1, rtol=0.5),
    lambda: assert_close(a.view(1, 3), torch.tensor([[1.0, 2.0, 0.0]]), msg=lambda text: "weights: " + text),
    lambda: assert_close(True, False),
]
for test in tests:
    try:
        test()
    except (AssertionError, TypeError, ValueError) as e:
        print(type(e).__name__, e)
