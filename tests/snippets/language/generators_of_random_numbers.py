# random.Random: generators of the program's own, each with its own state, and their mistakes
import copy
import random
import numpy as np
import torch
r = random.Random(42)
print(r.random(), r.randint(1, 6), r.choice("abc"), r.choices([1, 2, 3], weights=[1, 2, 1], k=4), r.sample(range(20), 3))
print(r.gauss(0, 1), r.getrandbits(70), r.uniform(1, 2), r.triangular(), r.expovariate(2.0), r.randbytes(4))
deck = [np.float32(1), np.arange(2), "x", torch.ones(1), [4]]
r.shuffle(deck)
print([type(card).__name__ for card in deck], r.sample(deck, 2, counts=[1, 1, 1, 1, 2])[0] is not None)
state = r.getstate()
first = [r.random() for _ in range(3)]
r.setstate(state)
print(first == [r.random() for _ in range(3)], isinstance(r, random.Random), type(r))
a, b = random.Random("seed"), random.Random("seed")
print(a.random() == b.random(), a.random() != random.Random(1).random())
a.seed(3); random.seed(3)
print(a.random() == random.random(), random.randbytes(3), a.normalvariate(), a.betavariate(1, 2), a.paretovariate(3))
class Dice(random.Random):
    def roll(self, n): return [self.randint(1, 6) for _ in range(n)]
print(Dice(7).roll(5))
for wrong in (
    lambda: r.choice([]), lambda: r.sample([1], 2), lambda: r.randint(3, 1), lambda: r.randrange(0), lambda: r.uniform(1),
    lambda: r.sample({1, 2}, 1), lambda: r.choices([1, 2], weights=[1]), lambda: r.choices([], k=1),
    lambda: r.shuffle((1, 2)), lambda: r.seed([1]), lambda: random.Random([1]), lambda: r.getrandbits(-1),
    lambda: r.getrandbits("a"), lambda: r.choice({1: 2}), lambda: r.bogus,
):
    try:
        print(wrong())
    except (TypeError, ValueError, IndexError, KeyError, AttributeError) as e:
        print(type(e).__name__, e)
