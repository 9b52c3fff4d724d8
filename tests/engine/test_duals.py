"""Forward mode: tangents are products with the Jacobian, levels end, and what cannot be carried on says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch

forward_ad: Any = torch.autograd.forward_ad
functional: Any = torch.nn.functional
POINT = torch.tensor([0.4, -1.2, 0.7], dtype=torch.float64)
TANGENT = torch.tensor([1.0, 0.5, -2.0], dtype=torch.float64)
MATRIX = torch.tensor([[0.3, -0.7, 0.9], [1.5, 0.2, -0.4]], dtype=torch.float64)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x * x,
        lambda x: x.sin().sum(),
        lambda x: (x + 2) / (x * x + 1),
        lambda x: MATRIX @ x,
        lambda x: x.view(3, 1) * x,
        lambda x: x[1:] - x[:-1],
        lambda x: torch.cat([x, POINT, x * 2]),
        lambda x: torch.stack([x, x.exp()]).softmax(0),
        lambda x: x.max(),
        lambda x: x.sort()[0],
        lambda x: torch.linalg.norm(x),
        lambda x: functional.relu(functional.linear(x, MATRIX)),
        lambda x: functional.layer_norm(x, (3,)),
        lambda x: torch.where(x > 0, x, x * x),
        lambda x: x.cumsum(0).expand(2, 3).mean(1),
        lambda x: torch.view_as_real(torch.complex(x, x * x).exp()),
    ],
)
def test_a_tangent_is_the_jacobian_times_the_tangent(f: Any) -> None:
    with forward_ad.dual_level():
        primal, tangent = forward_ad.unpack_dual(f(forward_ad.make_dual(POINT, TANGENT)))
    value, product = torch.func.jvp(f, (POINT,), (TANGENT,))
    assert torch.equal(primal, value) and not primal.requires_grad
    np.testing.assert_allclose(tangent._array, product._array, rtol=1e-12, atol=1e-15)


def test_tangents_of_several_inputs_add_up() -> None:
    with forward_ad.dual_level():
        a, b = forward_ad.make_dual(POINT, TANGENT), forward_ad.make_dual(POINT + 1, 3 * TANGENT)
        assert torch.allclose(forward_ad.unpack_dual(a * b).tangent, TANGENT * (POINT + 1) + 3 * TANGENT * POINT)
        assert forward_ad.unpack_dual(POINT * 2).tangent is None
        assert forward_ad.unpack_dual(a > 0).tangent is None
        assert forward_ad.unpack_dual((a * b).detach()).tangent is None


def test_forward_over_reverse() -> None:
    x = POINT.clone().requires_grad_()
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, TANGENT)
        (gradient,) = torch.autograd.grad((dual**3).sum(), x)
        assert torch.allclose(forward_ad.unpack_dual(gradient).tangent, 6 * POINT * TANGENT)
        assert not gradient.requires_grad


def test_a_tangent_has_a_gradient() -> None:
    x = POINT.clone().requires_grad_()
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual((forward_ad.make_dual(x, TANGENT) ** 3).sum()).tangent
    (gradient,) = torch.autograd.grad(tangent, x)
    assert torch.allclose(gradient, 6 * POINT * TANGENT)


def test_a_level_ends_and_takes_the_tangents_with_it() -> None:
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(torch.ones(2), torch.ones(2))
        assert repr(dual * 2) == "tensor([2., 2.], tangent=tensor([2., 2.]))"
        with pytest.raises(RuntimeError, match="^Nested forward mode AD is not supported at the moment$"):
            forward_ad.enter_dual_level()
    assert repr(dual * 2) == "tensor([2., 2.])"
    with pytest.raises(RuntimeError, match="^Trying to create a dual Tensor for forward AD but no level exists"):
        forward_ad.make_dual(POINT, TANGENT)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.x = x
        return x * x

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        return 2 * ctx.x * tangent


class WithoutJvp(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * x


def test_a_function_of_the_user_says_what_becomes_of_tangents() -> None:
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(POINT, TANGENT)
        assert torch.allclose(forward_ad.unpack_dual(Square.apply(dual)).tangent, 2 * POINT * TANGENT)
        with pytest.raises(NotImplementedError, match="^You must implement the jvp function for custom"):
            WithoutJvp.apply(dual)


def test_a_write_takes_the_tangent_along() -> None:
    with forward_ad.dual_level():
        dual, plain = forward_ad.make_dual(POINT, TANGENT), torch.zeros(3, dtype=torch.float64)
        squared = (dual * 1).mul_(dual)
        assert torch.allclose(forward_ad.unpack_dual(squared).tangent, 2 * POINT * TANGENT)
        assert torch.allclose(forward_ad.unpack_dual(plain.add_(dual)).tangent, TANGENT)
        assert forward_ad.unpack_dual((dual * 1).unsqueeze_(0)).tangent.shape == (1, 3)
        assert not forward_ad.unpack_dual((dual * 1).zero_()).tangent.any()


def test_a_write_through_a_view_reaches_the_tangent_of_its_base() -> None:
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(POINT, TANGENT) * 1
        dual[0] = 2.0
        expected = TANGENT.clone()
        expected[0] = 0.0
        assert torch.equal(forward_ad.unpack_dual(dual).tangent, expected)
        plain = torch.zeros(2, 3, dtype=torch.float64)
        plain[1] = dual
        assert torch.equal(forward_ad.unpack_dual(plain).tangent[1], expected)
        assert not forward_ad.unpack_dual(plain).tangent[0].any()


def test_a_tangent_that_was_written_through_a_view_has_a_gradient() -> None:
    w = torch.ones(3, dtype=torch.float64, requires_grad=True)
    with forward_ad.dual_level():
        dual, plain = forward_ad.make_dual(POINT, TANGENT * w), torch.zeros(2, 3, dtype=torch.float64)
        plain[0] = dual
        forward_ad.unpack_dual((plain * 5).sum()).tangent.backward()
    assert torch.equal(w.grad, 5 * TANGENT)


def test_what_cannot_be_carried_on_is_refused() -> None:
    torch.manual_seed(1)
    with forward_ad.dual_level(), pytest.raises(NotImplementedError, match="not available in Backlight yet"):
        torch.distributions.Gamma(forward_ad.make_dual(POINT, TANGENT).abs(), 1.0).rsample()
