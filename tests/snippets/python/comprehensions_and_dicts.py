# Comprehensions, dict and set operations, sorting by key
import torch
from collections import defaultdict, Counter

params = {f"w{i}": torch.tensor(float(i), requires_grad=True) for i in range(4)}
loss = sum(p ** (i + 1) for i, p in enumerate(params.values()))
loss.backward()
grads = {n: p.grad.item() for n, p in params.items()}
print(grads)
print(sorted(grads.items(), key=lambda kv: -kv[1])[:2], max(grads, key=grads.get))
big = {n for n, g in grads.items() if g > 1} | {"extra"}
print(sorted(big), sorted(big - {"extra"}), "w1" in big, big & set(params) == {"w2", "w3"})
history = defaultdict(list)
for step in range(3):
    for name in ("a", "b"):
        history[name].append(step * len(history))
print(dict(history), Counter("abracadabra").most_common(2))
matrix = [[i * j for j in range(3)] for i in range(3)]
print(torch.tensor(matrix).sum().item(), [row[::-1] for row in matrix], list(zip(*matrix))[1])
merged = {**grads, "w0": 100, **dict(z=1)}
print(merged, list(map(str, merged.values()))[0], {k: v for k, v in merged.items() if k not in grads})
first, *rest = sorted(merged)
print(first, rest, merged.pop("z"), merged.get("z", "gone"), merged.setdefault("n", []))
