# Folds with the classes' shares, of numbers and texts; labels that were not there
import numpy as np, torch
from sklearn.model_selection import StratifiedKFold, KFold

y = np.array([2, 2, 0, 1, 1, 0, 2, 0, 1, 2, 2, 0])
X = np.arange(24).reshape(12, 2)
for k in (StratifiedKFold(3), StratifiedKFold(n_splits=4, shuffle=True, random_state=1), KFold(3)):
    print(k, k.get_n_splits(X, y))
    for i, (a, b) in enumerate(k.split(X, y)):
        print(i, a, b, y[b])
for a, b in StratifiedKFold(2).split(torch.ones(6, 1), ["a", "b", "a", "b", "b", "c"]):
    print(a, b)
try:
    next(StratifiedKFold(5).split(X[:4], [0, 0, 1, 1]))
except ValueError as e:
    print(e)
try:
    next(StratifiedKFold(2).split(X[:4], [0, 0.5, 1, 1]))
except ValueError as e:
    print(e)
from sklearn.preprocessing import LabelEncoder

for known, asked in ((["b", "a"], ["z", "q"]), ([3, 1], [1, 2, 7])):
    try:
        LabelEncoder().fit(known).transform(asked)
    except ValueError as e:
        print(e)
