"""The order in which nodes run is that of PyTorch's queue: a heap on sequence numbers, kept by `std::push_heap`."""

from __future__ import annotations

import random

import pytest

import engine.torch as torch
from engine.core.node import LEAF_SEQUENCE, AccumulateGrad, Node
from engine.core.ready_queue import ReadyQueue


def _push(heap: list[Node], node: Node) -> None:
    """`std::push_heap`."""
    heap.append(node)
    hole = len(heap) - 1
    while hole > 0 and heap[parent := (hole - 1) // 2].sequence_nr < node.sequence_nr:
        heap[hole], hole = heap[parent], parent
    heap[hole] = node


def _pop(heap: list[Node]) -> Node:
    """`std::pop_heap`: the hole sinks along the larger children, then the last element rises from the bottom."""
    top, last = heap[0], heap.pop()
    hole, size = 0, len(heap)
    if not size:
        return top
    while (child := 2 * hole + 2) < size:
        child -= heap[child].sequence_nr < heap[child - 1].sequence_nr
        heap[hole], hole = heap[child], child
    if child == size:
        heap[hole], hole = heap[size - 1], size - 1
    heap[hole] = last
    while hole > 0 and heap[parent := (hole - 1) // 2].sequence_nr < last.sequence_nr:
        heap[hole], hole = heap[parent], parent
    heap[hole] = last
    return top


def test_nodes_and_leaves_leave_the_queue_as_they_leave_the_heap_of_pytorch() -> None:
    draw = random.Random(0)
    for _ in range(300):
        heap: list[Node] = []
        queue = ReadyQueue()
        numbers = draw.sample(range(10_000), 400)
        while numbers:
            for _ in range(min(draw.choice((1, 2, 3, 5, 40)), len(numbers))):
                if draw.random() < 0.5:
                    node: Node = AccumulateGrad()
                    node.sequence_nr = LEAF_SEQUENCE
                else:
                    node = Node()
                    node.sequence_nr = numbers.pop()
                _push(heap, node)
                queue.push(node)
            assert queue.first()[0] is heap[0]
            queue.arrange()
            while queue.leaves:
                assert queue.leaves.popleft() is _pop(heap)
            for _ in range(draw.randint(0, len(queue.keys))):
                assert queue.pop() is _pop(heap)


def test_nodes_whose_numbers_were_set_alike_run_in_the_order_they_came() -> None:
    queue, nodes = ReadyQueue(), [Node() for _ in range(4)]
    for node in nodes:
        node._set_sequence_nr(7)
        queue.push(node)
    assert [queue.pop() for _ in nodes] == nodes


def _order_of_leaves(root: Node) -> list[Node]:
    """The leaves of a graph in the order in which PyTorch's scheduler runs them."""
    waited, todo = {root: 1}, [root]
    while todo:
        for edge in todo.pop().next_edges:
            if edge is not None:
                if edge not in waited:
                    todo.append(edge)
                waited[edge] = waited.get(edge, 0) + 1
    heap, order = [root], []
    while heap:
        node = _pop(heap)
        if isinstance(node, AccumulateGrad):
            order.append(node)
        for edge in node.next_edges:
            if edge is not None:
                waited[edge] -= 1
                if not waited[edge]:
                    _push(heap, edge)
    return order


@pytest.mark.parametrize("seed", range(400))
def test_leaves_run_in_the_order_of_pytorch_in_any_graph(seed: int) -> None:
    draw = random.Random(seed)
    leaves = [torch.ones(2, requires_grad=True) for _ in range(draw.randint(3, 9))]
    ran: list[Node] = []
    pool = list(leaves)
    for _ in range(draw.randint(3, 14)):
        some = draw.choices(pool, k=draw.randint(2, 6))
        match draw.randint(0, 3):
            case 0:
                pool.append(torch.stack(some).sum(0))
            case 1:
                pool.append(some[0] * some[1])
            case 2:
                pool.append(torch.addcmul(*some[:3]) if len(some) > 2 else some[0] - some[1])
            case 3:
                pool.append(some[0] + 1)
    root = torch.stack(pool[-draw.randint(2, 6) :]).sum()
    for leaf in leaves:
        leaf.register_post_accumulate_grad_hook(lambda t: ran.append(t._grad_accumulator))
    expected = _order_of_leaves(root.grad_fn)
    root.backward()
    assert ran == expected


@pytest.mark.parametrize("count", [1, 24, 48, 49, 200, 3000])
@pytest.mark.parametrize("order", ["rising", "falling", "mixed"])
def test_what_waits_is_shown_in_the_order_it_will_run(order: str, count: int) -> None:
    queue = ReadyQueue()
    nodes = [torch.ones((), requires_grad=True).exp().grad_fn for _ in range(count)]
    ordered = {"rising": nodes, "falling": nodes[::-1], "mixed": random.Random(0).sample(nodes, count)}[order]
    for node in ordered:
        queue.push(node)
    assert queue.first() == nodes[::-1][:24]
