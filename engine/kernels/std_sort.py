"""How PyTorch, and the C++ library that it is built with, select and sort: it decides the order of equal elements.

`std::nth_element`, `std::sort` and `std::partial_sort` of libstdc++, on a list of positions; `before(a, b)` is the
order of two positions. `kth_place` is the quickselect with a median of three that `kthvalue` runs.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.limits import meter

Before = Callable[[int, int], bool]

_SMALL = 16


def top(order: list[int], k: int, before: Before, ordered: bool) -> list[int]:
    """The first `k` of `order`, chosen as PyTorch's `topk` does."""
    n = len(order)
    meter.charge(n * n.bit_length() // 12 if ordered or k * 64 <= n else n)
    if not k:
        return []
    if k * 64 <= n:
        partial_sort(order, 0, k, n, before)
        return order[:k]
    nth_element(order, 0, k - 1, n, before)
    if ordered:
        sort(order, 0, k - 1, before)
    return order[:k]


def nth_element(a: list[int], first: int, nth: int, last: int, before: Before) -> None:
    """Everything before position `nth` comes before what is there, everything after it after."""
    depth = 2 * ((last - first).bit_length() - 1)
    while last - first > 3:
        if not depth:
            _heap_select(a, first, nth + 1, last, before)
            a[first], a[nth] = a[nth], a[first]
            return
        depth -= 1
        cut = _partition(a, first, last, before)
        if cut <= nth:
            first = cut
        else:
            last = cut
    _insertion_sort(a, first, last, before)


def kth_place(values: list[float], k: int) -> int:
    """Where `kthvalue` finds the element of rank `k`, which starts at 0; NaN is the largest."""
    meter.charge(len(values) << 1)
    place = list(range(len(values)))
    low, high = 0, len(values) - 1

    def above(i: int, j: int) -> bool:
        a, b = values[place[i]], values[place[j]]
        return a > b or (a != a and b == b)

    def order(i: int, j: int) -> None:
        if above(i, j):
            place[i], place[j] = place[j], place[i]

    while high > low + 1:
        middle = low + (high - low) // 2
        place[middle], place[low + 1] = place[low + 1], place[middle]
        order(low + 1, high)
        order(low, high)
        order(low + 1, low)
        up, down = low + 2, high - 1
        while True:
            while above(low, up):
                up += 1
            while above(down, low):
                down -= 1
            if down < up:
                break
            place[up], place[down] = place[down], place[up]
            up, down = up + 1, down - 1
        place[low], place[down] = place[down], place[low]
        low, high = (up if down <= k else low), (down - 1 if down >= k else high)
    if high == low + 1:
        order(low, high)
    return place[k]


def sort(a: list[int], first: int, last: int, before: Before) -> None:
    """The range in order."""
    if first == last:
        return
    meter.charge((last - first) * (last - first).bit_length() // 12)
    _introsort(a, first, last, 2 * ((last - first).bit_length() - 1), before)
    if last - first > _SMALL:
        _insertion_sort(a, first, first + _SMALL, before)
        for i in range(first + _SMALL, last):
            _insert(a, i, before)
    else:
        _insertion_sort(a, first, last, before)


def partial_sort(a: list[int], first: int, middle: int, last: int, before: Before) -> None:
    """The elements that belong before `middle`, in order."""
    _heap_select(a, first, middle, last, before)
    end = middle
    while end - first > 1:
        end -= 1
        _pop_heap(a, first, end, end, before)


def _introsort(a: list[int], first: int, last: int, depth: int, before: Before) -> None:
    while last - first > _SMALL:
        if not depth:
            partial_sort(a, first, last, last, before)
            return
        depth -= 1
        cut = _partition(a, first, last, before)
        _introsort(a, cut, last, depth, before)
        last = cut


def _partition(a: list[int], first: int, last: int, before: Before) -> int:
    """Around the median of three, which goes to the front; the position where the second part starts."""
    _median_to_front(a, first, first + 1, first + (last - first) // 2, last - 1, before)
    left, right, pivot = first + 1, last, a[first]
    while True:
        while before(a[left], pivot):
            left += 1
        right -= 1
        while before(pivot, a[right]):
            right -= 1
        if left >= right:
            return left
        a[left], a[right] = a[right], a[left]
        left += 1


def _median_to_front(a: list[int], front: int, x: int, y: int, z: int, before: Before) -> None:
    if before(a[x], a[y]):
        median = y if before(a[y], a[z]) else z if before(a[x], a[z]) else x
    else:
        median = x if before(a[x], a[z]) else z if before(a[y], a[z]) else y
    a[front], a[median] = a[median], a[front]


def _insertion_sort(a: list[int], first: int, last: int, before: Before) -> None:
    for i in range(first + 1, last):
        if before(a[i], a[first]):
            a[first : i + 1] = [a[i], *a[first:i]]
        else:
            _insert(a, i, before)


def _insert(a: list[int], i: int, before: Before) -> None:
    value = a[i]
    while before(value, a[i - 1]):
        a[i] = a[i - 1]
        i -= 1
    a[i] = value


def _heap_select(a: list[int], first: int, middle: int, last: int, before: Before) -> None:
    length = middle - first
    for parent in range((length - 2) // 2, -1, -1):
        _sift(a, first, parent, length, a[first + parent], before)
    for i in range(middle, last):
        if before(a[i], a[first]):
            _pop_heap(a, first, middle, i, before)


def _pop_heap(a: list[int], first: int, last: int, result: int, before: Before) -> None:
    value = a[result]
    a[result] = a[first]
    _sift(a, first, 0, last - first, value, before)


def _sift(a: list[int], first: int, hole: int, length: int, value: int, before: Before) -> None:
    """The hole sinks to the bottom along the larger children, then `value` rises from there."""
    top_, child = hole, hole
    while child < (length - 1) // 2:
        child = 2 * (child + 1)
        if before(a[first + child], a[first + child - 1]):
            child -= 1
        a[first + hole] = a[first + child]
        hole = child
    if length % 2 == 0 and child == (length - 2) // 2:
        child = 2 * (child + 1)
        a[first + hole] = a[first + child - 1]
        hole = child - 1
    while hole > top_ and before(a[first + (hole - 1) // 2], value):
        a[first + hole] = a[first + (hole - 1) // 2]
        hole = (hole - 1) // 2
    a[first + hole] = value
