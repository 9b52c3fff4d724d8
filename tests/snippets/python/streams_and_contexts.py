# io, contextlib and heapq beside tensors: what is printed elsewhere, and contexts that are left in reverse order
import bisect
import heapq
import io
import sys
from contextlib import ExitStack, closing, contextmanager, nullcontext, redirect_stdout
from dataclasses import FrozenInstanceError, dataclass
from timeit import default_timer as timer

import torch

buffer = io.StringIO()
x = torch.tensor([1.0, 2.0], requires_grad=True)
with redirect_stdout(buffer):
    print("inside", x * 2)
print("so far:", repr(buffer.getvalue()))
print("direct", x.detach(), file=buffer)
print("gone", file=sys.stderr)
buffer.seek(0)
print([line.strip() for line in buffer.readlines()])


class Log:
    def __init__(self):
        self.lines = []

    def write(self, text):
        self.lines.append(text)

    def close(self):
        self.lines.append("closed")


log = Log()
print("a", "b", sep="-", file=log)
with closing(log):
    pass
print(log.lines)


@contextmanager
def named(name, swallow=False):
    print("enter", name)
    try:
        yield name
    except ValueError as e:
        print(name, "saw", e)
        if not swallow:
            raise
    finally:
        print("exit", name)


with ExitStack() as stack:
    names = [stack.enter_context(named(n, n == "b")) for n in "abc"]
    stack.enter_context(torch.no_grad())
    stack.callback(print, "callback", end="!\n")
    print(names, (x * 2).requires_grad)
    raise ValueError("boom")
print((x * 2).requires_grad)
with ExitStack() as stack:
    stack.enter_context(nullcontext())
    kept = stack.pop_all()
kept.close()

heap = []
for loss, name in [(0.5, "a"), (0.1, "b"), (0.9, "c"), (0.3, "d")]:
    heapq.heappush(heap, (loss, name))
print(heapq.heappop(heap), heapq.nsmallest(2, heap), heapq.nlargest(1, heap, key=lambda p: p[0]))
edges = [0.0, 1.0, 2.0]
bisect.insort(edges, 1.5)
print(edges, bisect.bisect_left(edges, 1.0), bisect.bisect(edges, 1.0))


@dataclass(frozen=True)
class Point:
    x: float = 0.0


try:
    Point().x = 3
except FrozenInstanceError as e:
    print(type(e).__name__, e, isinstance(e, AttributeError))
start = timer()
print(timer() - start < 10)
