# random.choices with weights of every kind
import random

for weights in (["a", "b"], [[1], [2]], [None, 1], [(1,), (2,)], [1, "a"], ["a", 1], {"a": 1}, 3, [1], [1, 2], (0.5, 2), [0, 0], [True, False], [-1, 0]):
    for name in ("weights", "cum_weights"):
        random.seed(0)
        try:
            print(weights, random.choices([1, 2], **{name: weights}, k=3))
        except Exception as error:
            print(weights, type(error).__name__, error)
