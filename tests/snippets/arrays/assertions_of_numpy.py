# numpy.testing beside gradients, and what it says when they differ
import numpy as np
import torch
from numpy.testing import assert_allclose, assert_array_equal

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
(x**2).sum().backward()
assert_allclose(x.grad.numpy(), 2 * x.detach().numpy(), rtol=1e-5)
assert_allclose(x.grad, [2, 4, 6])
np.testing.assert_almost_equal(float(x.grad[0]), 2.0, decimal=5)
np.testing.assert_array_almost_equal(np.array([1.0, np.nan]), np.array([1.0000001, np.nan]))
np.testing.assert_equal(np.arange(3), [0, 1, 2])
np.testing.assert_array_less([1, 2], [2, 3])

for ask in (
    lambda: assert_allclose(x.grad.numpy(), [2.0, 4.0, 6.5], rtol=1e-3, err_msg="gradients"),
    lambda: assert_array_equal(np.arange(3), np.array([0, 1, 5])),
    lambda: assert_array_equal(np.arange(3), np.arange(4)),
    lambda: np.testing.assert_almost_equal(1.0, 1.1, 2),
    lambda: np.testing.assert_equal("a", "b"),
    lambda: np.testing.assert_array_less([1, 5], [2, 3]),
):
    try:
        ask()
    except AssertionError as error:
        print(error)
