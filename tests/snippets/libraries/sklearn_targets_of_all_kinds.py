# Targets that are columns, of two kinds, or no classes at all, for scikit-learn's scores
import numpy as np
import torch
from sklearn.metrics import accuracy_score, classification_report, confusion_matrix, f1_score, precision_score

X = torch.tensor([[0.5], [-1.5], [2.5], [0.1]])
y = torch.tensor([[1.0], [0.0], [1.0], [0.0]])
w = torch.ones(1, 1, requires_grad=True)
torch.nn.functional.binary_cross_entropy_with_logits(X @ w, y).backward()
p = torch.sigmoid(X @ w).detach().numpy()
print(accuracy_score(np.round(p), y), accuracy_score(y.ravel(), np.round(p)), w.grad)
print(confusion_matrix(np.round(p), y.numpy()), f1_score(y, p > 0.5), precision_score(y, p.round()))
print(classification_report(y.numpy(), np.round(p)))
print(accuracy_score(np.eye(3), [[1, 0, 0], [0, 1, 1], [0, 0, 1]]), accuracy_score([1, 2, 2], [[1], [2], [0]]))


def attempt(f, *arguments):
    try:
        print(f(*arguments))
    except ValueError as e:
        print(e)


attempt(accuracy_score, y, p)
attempt(accuracy_score, p, y.numpy())
attempt(accuracy_score, [0, 1, 2, 3], p)
attempt(accuracy_score, p, p)
attempt(confusion_matrix, np.eye(2), np.eye(2))
attempt(accuracy_score, [0, 1, 1], np.eye(3))
attempt(accuracy_score, [0, 1], [0, 1, 2])
attempt(accuracy_score, np.ones((2, 2, 2)), np.ones((2, 2, 2)))
