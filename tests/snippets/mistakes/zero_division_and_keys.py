# Errors of plain Python: the last one is not caught
import torch

scores = {"train": torch.tensor(0.9)}
for action in (lambda: 1 / 0, lambda: scores["test"], lambda: [1, 2][5], lambda: int("x"), lambda: "a" + 1, lambda: None.foo, lambda: len(5)):
    try:
        action()
    except Exception as e:
        print(f"{type(e).__name__}: {e}")
print(scores["train"] / 0)
print(scores["valid"])
