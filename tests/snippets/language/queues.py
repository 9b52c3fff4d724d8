# queue: first in first out, last in first out, by priority; full and empty ones
import queue
import torch
q = queue.Queue(maxsize=2)
q.put(torch.ones(2)); q.put([1])
print(q.qsize(), q.full(), q.empty(), q.maxsize, q.get().sum(), q.get(timeout=1), q.unfinished_tasks)
q.task_done(); q.task_done(); q.join()
stack, heap, plain = queue.LifoQueue(), queue.PriorityQueue(), queue.SimpleQueue()
for i in (3, 1, 2):
    stack.put(i); heap.put((i, "abc"[i - 1])); plain.put(i)
print([stack.get() for _ in range(3)], [heap.get() for _ in range(3)], plain.get_nowait(), plain.qsize())
for wrong in (
    lambda: q.get_nowait(), lambda: q.get(block=False), lambda: q.get(timeout=0.01), lambda: [q.put_nowait(i) for i in range(3)],
    lambda: q.task_done() or q.task_done() or q.task_done(), lambda: heap.put(1) or heap.put("a"), lambda: q.get(timeout=-1) and q.get(timeout=-1),
):
    try:
        print(wrong())
    except queue.Empty as e:
        print("empty", repr(e))
    except queue.Full as e:
        print("full", repr(e))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
