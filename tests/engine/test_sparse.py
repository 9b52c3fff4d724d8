"""Sparse tensors: gradients against differences, what their values are, and that nothing takes them for dense ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import engine
import engine.torch as torch
from engine import settings
from engine.codegen import publish
from engine.core.registry import OPS
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import LimitExceeded, Limits, metered
from engine.types.coo import Coo
from tests.engine.gradients import array, check_gradients, rows_of, tensor


@pytest.fixture(autouse=True)
def as_in_a_fresh_interpreter() -> Iterator[None]:
    """No kind of tensor was seen, and what is warned about once is warned about in the next test again."""
    state.reset()
    yield
    settings.fresh()


pytestmark = pytest.mark.filterwarnings("ignore:Sparse invariant checks", "ignore:torch.sparse.SparseTensor")

PLACES = tensor(np.array([[1, 0, 1, 1], [2, 2, 0, 2]]))
VALUES = array(0.3, -0.7, 0.9, 0.4)
DENSE = np.array([[0.3, -0.7], [1.5, 0.2], [0.8, -0.4]])
SQUARE = tensor(np.array([[0, 1, 2], [1, 0, 2]]))


def sparse(values: Any) -> Tensor:
    return torch.sparse_coo_tensor(PLACES, values, (2, 3))


ONCE: dict[str, tuple[Any, ...]] = {
    "_sparse_coo_tensor_with_dims_and_tensors": (lambda v: sparse(v).to_dense(), VALUES),
    "_to_dense": (lambda v: sparse(v).coalesce().to_dense(), VALUES),
    "_coalesce": (lambda v: sparse(v).coalesce().to_dense(), VALUES),
    "values": (lambda v: sparse(v).coalesce().values(), VALUES),
    "sparse_mask": (lambda x: x.sparse_mask(sparse(VALUES).coalesce()).to_dense(), DENSE.T.copy()),
    "_to_sparse": (lambda x: x.to_sparse().to_dense(), DENSE),
    "_to_sparse_sparse_dim": (lambda x: x.to_sparse(1).to_dense(), DENSE),
    "_sparse_addmm": (lambda v, x: torch.sparse.mm(sparse(v), x), VALUES, DENSE),
    "_sparse_sparse_matmul": (
        lambda v, w: torch.sparse.mm(sparse(v), torch.sparse_coo_tensor(SQUARE, w, (3, 3))).to_dense(),
        VALUES, array(0.2, 1.1, -0.6),
    ),
    "_sparse_sum_dim": (lambda v: torch.sparse.sum(sparse(v), 0).to_dense(), VALUES),
    "_sparse_softmax": (lambda v: torch.sparse.softmax(sparse(v), 1).to_dense(), VALUES),
    "_sparse_log_softmax": (lambda v: torch.sparse.log_softmax(sparse(v), 1).to_dense(), VALUES),
}  # fmt: skip
OF_GRADIENTS = {
    "sparse_constructor_values_backward", "to_sparse_backward", "values_backward", "mm_mat1_sparse_backward",
    "mm_mat2_sparse_backward", "sparse_sparse_matmul_backward", "sparse_sum_backward", "_sparse_softmax_backward_data",
    "_sparse_log_softmax_backward_data", "embedding_sparse_backward",
}  # fmt: skip
"""Rows that stand only in formulas of others."""


@pytest.mark.parametrize("identifier", ONCE)
def test_gradients(identifier: str) -> None:
    check_gradients(*ONCE[identifier], order=1)


def test_every_row_is_checked() -> None:
    assert rows_of("sparse") == set(ONCE) | OF_GRADIENTS
    known = {row.identifier for row in OPS.values() if row.sparse}
    assert rows_of("sparse") | {"add", "mm"} <= known | {"_to_sparse", "_to_sparse_sparse_dim"}


@pytest.mark.parametrize(
    "f",
    [
        lambda v, x: sparse(v) @ x, lambda v, x: torch.spmm(sparse(v), x), lambda v, x: sparse(v).mv(x[:, 0]),
        lambda v, x: x.t() @ sparse(v).t(), lambda v, x: torch.addmm(x[:2], sparse(v), x, beta=2, alpha=3),
        lambda v, x: torch.sparse.addmm(x[:2], sparse(v), x, beta=2, alpha=3), lambda v, x: x.t() + sparse(v),
        lambda v, x: x.t() - 2 * sparse(v), lambda v, x: (sparse(v) * x.t()).to_dense() + x.t(),
        lambda v, x: (sparse(v) + sparse(v) * 3).to_dense(), lambda v, x: (sparse(v) / 2 - sparse(v)).to_dense(),
        lambda v, x: (sparse(v) ** 2).to_dense(), lambda v, x: sparse(v).t().to_dense(),
        lambda v, x: sparse(v).sum() + x.sum(), lambda v, x: torch.sparse.sum(sparse(v)) + x.sum(),
        lambda v, x: torch.sparse.sum(sparse(v), (0, 1)), lambda v, x: torch.sparse.softmax(sparse(v), 0).to_dense(),
        lambda v, x: (-sparse(v)).abs().relu().to_dense(), lambda v, x: sparse(v).clone().to_dense(),
    ],
)  # fmt: skip
def test_gradients_of_what_takes_dense_ones_too(f: Callable[..., Any]) -> None:
    check_gradients(f, VALUES, DENSE, order=1)


def test_a_sparse_tensor_is_its_dense_one() -> None:
    generator = np.random.default_rng(0)
    for _ in range(50):
        shape = tuple(generator.integers(1, 5, 2))
        count = int(generator.integers(0, 9))
        places = np.stack([generator.integers(0, extent, count) for extent in shape])
        s = torch.sparse_coo_tensor(tensor(places), tensor(generator.normal(size=count)), shape)
        dense = np.zeros(shape)
        np.add.at(dense, tuple(places), s._array.values)
        half = places[:, ::2].copy()
        other = torch.sparse_coo_tensor(tensor(half), tensor(generator.normal(size=half.shape[1])), shape)
        there = other.to_dense()._array
        x = generator.normal(size=(shape[1], 3))
        for found, wanted in (
            (s.to_dense(), dense), (s.coalesce().to_dense(), dense), ((s + other).to_dense(), dense + there),
            ((s.coalesce() + other.coalesce()).to_dense(), dense + there), ((s * other).to_dense(), dense * there),
            ((s.coalesce() * other.coalesce()).to_dense(), dense * there), (s.t().to_dense(), dense.T),
            (s @ tensor(x), dense @ x), ((s @ s.t()).to_dense(), dense @ dense.T), (s.sum(), dense.sum()),
            (s.sum(0).to_dense(), dense.sum(0)), (s.to_dense().to_sparse().to_dense(), dense),
            (s.norm(), np.linalg.norm(dense)), ((s - other).to_dense(), dense - there),
        ):  # fmt: skip
            np.testing.assert_allclose(found._array, wanted, atol=1e-12)


def everything() -> list[tuple[str, Callable[..., Any]]]:
    """Methods of a tensor, and functions that take one, called as programs call them."""

    def method(name: str) -> Callable[..., Any]:
        return lambda x, *rest: getattr(x, name)(*rest)

    found = [(n, method(n)) for n in dir(Tensor) if not n.startswith("_") and callable(getattr(Tensor, n))]
    for space in (publish.TORCH, publish.FUNCTIONAL, publish.SPECIAL, publish.LINALG, publish.FFT):
        found += [(n, f) for n, f in space.items() if not isinstance(f, type) and not n.startswith("set_")]
    return found


def parts(found: Any) -> list[Tensor]:
    return [t for t in (found if isinstance(found, tuple | list) else [found]) if isinstance(t, Tensor)]


@pytest.mark.filterwarnings("ignore")
def test_what_does_not_know_sparse_tensors_takes_no_memory_for_one() -> None:
    """Whatever it is called with, a function refuses a huge tensor, or gives a sparse one, a small one or a number."""
    huge = torch.sparse_coo_tensor(tensor(np.array([[5], [7]])), tensor(array(2.0)), (10**9, 10**9))
    for name, function in everything():
        for rest in ((), (huge,), (0,), (1, 0), (0.5,)):
            with metered(Limits(total_bytes=1 << 22, fuel=100_000)):
                try:
                    found = function(huge, *rest)
                except (Exception, LimitExceeded):
                    continue
            for t in parts(found):
                assert t._array.nbytes < 1 << 20 or 0 in t._array.strides, name


@pytest.mark.filterwarnings("ignore")
def test_what_takes_a_sparse_tensor_gives_what_it_gives_for_the_dense_one() -> None:
    generator = np.random.default_rng(0)
    dense = generator.normal(size=(3, 3))
    dense[generator.random((3, 3)) < 0.5] = 0
    taken = set()
    for name, function in everything():
        for rest in ((), (1,), (1, 0), (0.5,), "self"):
            results = []
            for make in (lambda: tensor(dense.copy()).to_sparse(), lambda: tensor(dense.copy())):
                x = make()
                torch.manual_seed(0)
                try:
                    found = function(x, *((x,) if rest == "self" else rest))
                    results.append([t.to_dense()._array for t in parts(found)])
                except (Exception, LimitExceeded):
                    break
            if len(results) == 2 and results[0]:
                taken.add(name)
                for found, wanted in zip(*results, strict=True):
                    np.testing.assert_allclose(found, wanted, atol=1e-12, err_msg=name)
    assert taken >= {"add", "mul", "neg", "sum", "mm", "matmul", "t", "transpose", "abs", "sin", "relu", "to_sparse"}


def test_the_largest_sizes() -> None:
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        torch.sparse_coo_tensor(PLACES, tensor(VALUES), (1 << 40, 1 << 40))
    huge = torch.sparse_coo_tensor(tensor(np.array([[5, 5], [7, 7]])), tensor(array(2.0, 3.0)), (10**9, 10**9))
    assert (huge + huge).coalesce().values().tolist() == [10.0]
    assert huge.t().coalesce().indices().tolist() == [[7], [5]]
    with metered(Limits()), pytest.raises(LimitExceeded):
        huge.to_dense()


def test_documents_show_what_a_sparse_tensor_stands_for() -> None:
    document = engine.run(
        code="import torch\ns = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [3.0, 4.0, 5.0], (2, 3))\n"
        "h = torch.sparse_coo_tensor([[0, 5], [2, 7]], [3.0, -4.0], (10**9, 10**9))\n"
        "e = torch.nn.Embedding(4, 2, sparse=True)\ne(torch.tensor([1, 2, 1])).sum().backward()"
    ).document
    assert document["error"] is None
    values, tensors = document["values"], document["tensors"]
    names = (
        {entry["name"]: entry for entry in tensors.values()}
        if isinstance(tensors, dict)
        else {entry.get("name"): entry for entry in tensors}
    )
    shown = values[names["s"]["value"]]
    assert (shown["data"], shown["layout"], shown["nnz"]) == ([[0, 0, 3], [9, 0, 0]], "sparse_coo", 3)
    large = values[names["h"]["value"]]
    assert large["data"] is None and large["stats"]["min"] == -4 and large["stats"]["zeros"] == 10**18 - 2
    grad = values[names["e.weight"]["grad"]]
    assert grad["data"] == [[0, 0], [2, 2], [1, 1], [0, 0]] and grad["nnz"] == 3


@pytest.mark.parametrize("made", ["torch.zeros(65, 1, dtype=torch.long), torch.ones(1)", "size=(1,) * 65"])
def test_more_dimensions_than_a_document_can_show_are_refused(made: str) -> None:
    document = engine.run(code=f"import torch\nx = torch.sparse_coo_tensor({made})").document
    assert document["error"]["type"] == "NotImplementedError"
    assert "64 are the most" in document["error"]["message"]


def test_values_cannot_be_written_to() -> None:
    s = sparse(tensor(VALUES)).coalesce()
    with pytest.raises(NotImplementedError, match="cannot be written to"):
        s.values().mul_(2)
    with pytest.raises(NotImplementedError, match="cannot be written to"):
        s._indices().zero_()


def test_numpy_refuses_what_it_does_not_know() -> None:
    coo = Coo(np.array([[0, 1]]), np.array([1.0, 2.0]), (3,))
    for f in (
        np.exp,
        np.cos,
        lambda a: a == a,
        lambda a: a > 0,
        lambda a: np.concatenate([a, a]),
        np.empty_like,
        len,
        lambda a: a[0],
        list,
        bool,
        lambda a: a.reshape(3),
        lambda a: np.add(a, a, out=np.zeros(3)),
    ):
        with pytest.raises(NotImplementedError):
            f(coo)
    with pytest.raises(TypeError, match="can't convert Sparse layout tensor to numpy"):
        np.asarray(coo)
