"""The backward pass: order, sums, freeing, inputs, roots."""

from __future__ import annotations

import pytest

import engine.torch as torch


def leaf(value: object) -> torch.Tensor:
    return torch.tensor(value, requires_grad=True)


ORDER_OF_TIES = {3: [0, 1, 2], 4: [0, 2, 1, 3], 5: [0, 2, 4, 1, 3], 8: [0, 2, 6, 5, 7, 4, 1, 3]}


@pytest.mark.parametrize("count", ORDER_OF_TIES)
def test_leaves_that_are_ready_together_run_in_the_order_of_the_heap(count: int) -> None:
    order: list[int] = []
    leaves = [leaf(float(i)) for i in range(count)]
    for i, x in enumerate(leaves):
        x.register_hook(lambda g, i=i: order.append(i))
    torch.stack(leaves).sum().backward()
    assert order == ORDER_OF_TIES[count]


def test_the_newest_op_runs_first() -> None:
    order: list[str] = []
    x = leaf(1.0)
    a, b = x * 3, x.sin()
    for name, t in (("mul", a), ("sin", b)):
        t.grad_fn.register_hook(lambda gi, go, name=name: order.append(name))
    (a + b).backward()
    assert order == ["sin", "mul"]


def test_gradients_that_meet_are_added_newest_consumer_first() -> None:
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    first, second, third = x * 1e16, x * 1.0, x * -1e16
    (first + second + third).backward()
    assert x.grad.item() == (-1e16 + 1.0) + 1e16


def test_a_deep_chain_needs_no_recursion() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(50_000):
        y = y + 1.0
    y.backward()
    assert x.grad.item() == 1.0


def test_saved_tensors_are_freed_node_by_node() -> None:
    x = leaf(2.0)
    shared = x.exp()
    first, second = shared * 2, shared * 3
    first.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        second.backward()
    y = leaf(1.0) + 1
    y.backward()
    y.backward()  # an addition saves no tensor


def test_inputs_limit_what_runs_and_what_is_filled() -> None:
    a, b = leaf(2.0), leaf(3.0)
    y = a * b
    z = y * y
    z.backward(inputs=[y], retain_graph=True)
    assert (a.grad, b.grad, y.grad.item()) == (None, None, 12.0)
    z.backward(inputs=a)
    assert (a.grad.item(), b.grad) == (36.0, None)


def test_grad_runs_hooks_of_what_it_returns_but_not_its_node() -> None:
    seen: list[str] = []
    x = leaf(2.0)
    y = x * 3
    y.register_hook(lambda g: g * 10)
    y.grad_fn.register_hook(lambda gi, go: seen.append("node of y"))
    (g,) = torch.autograd.grad(y * 1, y)
    assert g.item() == 10.0 and not seen


def test_a_leaf_grad_is_its_own_memory() -> None:
    x, g = leaf([1.0, 2.0]), torch.tensor([1.0, 1.0])
    (x * 1).backward(g)
    (x + 0).backward(g)
    g.zero_()
    assert x.grad.tolist() == [2.0, 2.0]


def test_the_gradient_has_the_dtype_and_shape_of_its_tensor() -> None:
    w = leaf(0.5)
    (torch.ones(2, 3, dtype=torch.float64) * w).sum().backward()
    assert w.grad.shape == torch.Size([]) and w.grad.dtype is torch.float32 and w.grad.item() == 6.0


def test_undefined_gradients_stay_undefined() -> None:
    class Nothing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):  # type: ignore[no-untyped-def]
            return x.clone()

        @staticmethod
        def backward(ctx, g):  # type: ignore[no-untyped-def]
            return None

    x = leaf(1.0)
    Nothing.apply(x * 2).backward()
    assert x.grad is None


def test_a_backward_inside_a_hook_runs_on_its_own() -> None:
    other = leaf(3.0)
    x = leaf(1.0)
    y = x * 2

    def inner(g: torch.Tensor) -> None:
        with torch.enable_grad():
            (other * other).backward()

    y.register_hook(inner)
    y.backward()
    assert (x.grad.item(), other.grad.item()) == (2.0, 6.0)


def test_anomaly_mode_names_the_op_that_made_nan() -> None:
    with pytest.warns(UserWarning), torch.autograd.detect_anomaly():
        x = leaf(-1.0)
        y = (x.sqrt() * 0).sum()
        with pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th output."):
            y.backward()


def test_leaves_that_no_longer_require_grad_take_none() -> None:
    number, vector = torch.tensor(1.0, requires_grad=True), torch.ones(2, requires_grad=True)
    loss = number * 2 + vector.sum()
    number.requires_grad_(False)
    vector.requires_grad_(False)
    loss.backward()
    assert number.grad is None and vector.grad is None


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((2,), (3,), r"The size of tensor a \(2\) must match the size of tensor b \(3\) at non-singleton dimension 0"),
        ((2,), (2, 2), r"output with shape \[2\] doesn't match the broadcast shape \[2, 2\]"),
    ],
)
def test_a_gradient_is_not_added_to_one_of_another_size(
    before: tuple[int, ...], after: tuple[int, ...], told: str
) -> None:
    x = torch.ones(before, requires_grad=True)
    (x * 2).sum().backward()
    x.data = torch.ones(after)
    with pytest.raises(RuntimeError, match=told):
        (x * 2).sum().backward()


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((), r"input is a Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0\."),
        ((1,), r"invalid gradient at index 0 - got \[\] but expected shape compatible with \[1\]"),
        ((1, 1), r"invalid gradient at index 0 - got \[1\] but expected shape compatible with \[1, 1\]"),
        ((2,), "grad can be implicitly created only for scalar outputs"),
    ],
)
def test_batched_gradients_of_nothing_are_refused_by_the_shape_of_the_output(shape: tuple[int, ...], said: str) -> None:
    x = torch.ones(shape, requires_grad=True)
    with pytest.raises((RuntimeError, ValueError), match=said):
        torch.autograd.grad(x * 2, x, is_grads_batched=True)
