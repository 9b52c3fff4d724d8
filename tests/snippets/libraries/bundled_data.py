# The small data sets that scikit-learn brings with it, and what beginners do with them
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.manual_seed(0)
iris = load_iris()
X, y = iris.data, iris["target"]
print(X.shape, X.dtype, y.dtype, X[:3], y[::40], iris.feature_names, iris.target_names)
print(X.mean(0), np.bincount(y))
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42)
X_train, X_test = torch.FloatTensor(X_train), torch.FloatTensor(X_test)
y_train, y_test = torch.LongTensor(y_train), torch.LongTensor(y_test)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(30):
    loss = nn.functional.cross_entropy(model(X_train), y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print((model(X_test).argmax(1) == y_test).float().mean())

cancer = load_breast_cancer()
print(cancer.data.shape, cancer.feature_names[:2], type(cancer.feature_names).__name__, cancer.target_names, cancer.data[0, :4])
scaled = StandardScaler().fit_transform(cancer.data)
w = torch.zeros(30, 1, dtype=torch.float64, requires_grad=True)
logits = torch.from_numpy(scaled) @ w
loss = nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(cancer.target).double().unsqueeze(1))
loss.backward()
print(loss, w.grad[:3].T)

X, y = load_wine(return_X_y=True)
print(X.shape, X.sum(0)[:3], X[-1], y[[0, 60, -1]], load_wine().target_names)

digits = load_digits()
print(digits.images.shape, digits.images[0].astype(int), digits.target[:12], digits.data.sum(), digits.target_names)
few, labels = load_digits(n_class=3, return_X_y=True)
print(few.shape, sorted(set(labels.tolist())), few[5, 10:14])
