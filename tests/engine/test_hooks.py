"""Hooks of tensors, nodes, leaves and saved tensors, in PyTorch's order and with its refusals."""

from __future__ import annotations

from typing import Any

import pytest

import engine.torch as torch


def test_the_order_at_one_node() -> None:
    order: list[str] = []
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.register_hook(lambda g: order.append("tensor"))
    y.register_hook(lambda g: g * 10)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda gs: order.append("pre"))
    y.grad_fn.register_hook(lambda gi, go: order.append("post"))
    x.register_hook(lambda g: order.append("leaf"))
    x.register_post_accumulate_grad_hook(lambda p: order.append(f"accumulated {p.grad.tolist()}"))
    y.sum().backward()
    assert order == ["tensor", "pre", "post", "leaf", "accumulated [30.0, 30.0]"]
    assert y.grad.tolist() == [10.0, 10.0]


def test_a_removed_hook_is_silent() -> None:
    seen: list[Any] = []
    x = torch.tensor(1.0, requires_grad=True)
    with x.register_hook(seen.append):
        (x * 2).backward()
    (x * 2).backward()
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("hook", "kind", "text"),
    [
        (lambda g: "text", TypeError, "expected Variable, but hook returned 'str'"),
        (lambda g: torch.ones(3), RuntimeError, "hook '<lambda>' has changed the size of value"),
        (
            lambda g: g.double(),
            RuntimeError,
            "hook '<lambda>' has changed the type of value (was torch.FloatTensor got",
        ),
    ],
)
def test_a_hook_may_not_return_something_else(hook: Any, kind: type[Exception], text: str) -> None:
    x = torch.tensor(1.0, requires_grad=True)
    x.register_hook(hook)
    with pytest.raises(kind) as caught:
        (x * 2).backward()
    assert str(caught.value).startswith(text)


def test_saved_tensor_hooks_pack_at_forward_and_unpack_at_backward() -> None:
    events: list[str] = []
    x = torch.tensor(3.0, requires_grad=True)

    def pack(t: torch.Tensor) -> tuple[str, torch.Tensor]:
        events.append("pack")
        return ("packed", t)

    def unpack(packed: tuple[str, torch.Tensor]) -> torch.Tensor:
        events.append("unpack")
        return packed[1]

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * x
    assert events == ["pack", "pack"]
    y.backward()
    assert events == ["pack", "pack", "unpack", "unpack"] and x.grad.item() == 6.0


def test_a_hook_on_several_tensors_gets_all_gradients_at_once() -> None:
    seen: list[Any] = []
    a, b = (torch.tensor(v, requires_grad=True) for v in (2.0, 3.0))
    torch.autograd.graph.register_multi_grad_hook([a, b], seen.append)
    (a * b).backward()
    assert [[g.item() for g in grads] for grads in seen] == [[3.0, 2.0]]


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoint_runs_the_function_again(reentrant: bool) -> None:
    runs: list[int] = []

    def f(t: torch.Tensor) -> torch.Tensor:
        runs.append(1)
        return t.sin() * 2

    x = torch.tensor(0.5, requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(f, x, use_reentrant=reentrant)
    name = "CheckpointFunctionBackward" if reentrant else "MulBackward0"
    assert type(y.grad_fn).__name__ == name
    y.backward()
    assert len(runs) == 2 and x.grad.item() == pytest.approx(2 * torch.cos(torch.tensor(0.5)).item())
