# Arrays of texts: names of classes, chosen, compared and counted
import numpy as np

names = np.array(["setosa", "virginica", "versicolor"])
labels = np.array([0, 2, 1, 0])
print(names, names.dtype, names.shape, len(names), names.size)
print(names[labels], names[0], names[1:], names == "setosa", "setosa" in names)
print(np.unique(names[labels], return_counts=True)[1], np.unique(["b", "a", "b"]))
print((names[labels] == names[labels[::-1]]).sum(), names.tolist(), np.array_equal(names, names))
np.random.seed(0)
print(np.random.choice(["a", "b", "c"], size=4, p=[0.2, 0.3, 0.5]), np.random.choice(names))
print(np.random.default_rng(0).choice(["a", "b"], 3), np.random.permutation(names))
print(np.where(labels > 0, "yes", "no"), np.concatenate([names, names[:1]]), np.sort(names))
names[0] = "unknown name that is longer"
print(names)

# Arrays of different lengths
parts = [np.ones(3), np.zeros(1)]
print(np.concatenate(parts), np.hstack(parts), np.vstack([np.ones((2, 2)), np.zeros((1, 2))]))
