# deque as replay buffer, OrderedDict, namedtuple, ChainMap, Counter arithmetic, heapq of losses
from collections import deque, OrderedDict, namedtuple, ChainMap, Counter
import heapq, bisect, random, torch
random.seed(1)
Transition = namedtuple("Transition", ("s", "a", "r", "s2"), defaults=(None,))
class Replay:
    def __init__(self, cap): self.mem = deque([], maxlen=cap)
    def push(self, *args): self.mem.append(Transition(*args))
    def sample(self, n): return random.sample(self.mem, n)
    def __len__(self): return len(self.mem)
buf = Replay(4)
for i in range(6): buf.push(torch.tensor([float(i)]), i % 2, float(i), torch.tensor([i + 1.]) if i < 5 else None)
batch = Transition(*zip(*buf.sample(3)))
mask = torch.tensor([s is not None for s in batch.s2])
nxt = torch.cat([s for s in batch.s2 if s is not None])
Q = torch.nn.Linear(1, 2); torch.nn.init.constant_(Q.weight, 0.5); torch.nn.init.zeros_(Q.bias)
q = Q(torch.stack(batch.s)).gather(1, torch.tensor(batch.a).unsqueeze(1)).squeeze(1)
with torch.no_grad():
    target = torch.zeros(3); target[mask] = Q(nxt.unsqueeze(1)).max(1).values
loss = torch.nn.functional.smooth_l1_loss(q, target * .9 + torch.tensor(batch.r)); loss.backward()
print(len(buf), batch.a, loss, Q.weight.grad)
cfg = ChainMap({"lr": 1}, {"lr": 0.1, "wd": 0.0}); print(cfg["lr"], cfg["wd"], dict(cfg), cfg.maps)
c = Counter("abca") + Counter("a"); c.subtract("b"); print(c, c.total(), sorted(c.elements()), c.most_common(1))
od = OrderedDict(a=1, b=2); od.move_to_end("a"); print(od, od.popitem(last=False))
d = deque([1, 2, 3]); d.rotate(1); d.appendleft(0); print(d, d.pop(), d.popleft(), d.index(1))
h = []
for l, n in [(0.5, "x"), (0.1, "y"), (0.3, "z")]: heapq.heappush(h, (l, n))
print(heapq.heappop(h), heapq.nsmallest(2, h), heapq.nlargest(1, h)); xs = [1, 3, 5]; bisect.insort(xs, 4); print(xs, bisect.bisect_left(xs, 3))
t = Transition(1, 2, 3); print(t, t._replace(a=9), t._asdict(), t == (1, 2, 3, None), Transition._make([1, 2, 3, 4]))
