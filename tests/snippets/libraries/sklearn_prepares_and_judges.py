# scikit-learn's generators, splits, scalers, encoders and scores
import numpy as np
import torch
from sklearn.datasets import make_blobs, make_circles, make_classification, make_moons, make_regression
from sklearn.datasets import make_friedman1, make_gaussian_quantiles, make_s_curve, make_swiss_roll
from sklearn.metrics import accuracy_score, classification_report, confusion_matrix, f1_score, mean_absolute_error
from sklearn.metrics import mean_squared_error, precision_score, r2_score, recall_score, roc_auc_score
from sklearn.model_selection import KFold, train_test_split
from sklearn.preprocessing import LabelEncoder, MinMaxScaler, OneHotEncoder, StandardScaler
import sklearn.datasets


def show(*arrays):
    print(*[(a.shape, a.dtype, a.ravel()[:4].tolist(), float(a.sum())) for a in arrays])


X, y = make_moons(n_samples=50, noise=0.2, random_state=42)
show(X, y)
show(*make_moons(11, shuffle=False), *make_moons((3, 4), random_state=0))
show(*make_circles(20, noise=0.05, factor=0.5, random_state=1))
show(*make_blobs(n_samples=30, centers=3, n_features=2, random_state=0))
show(*make_blobs([5, 6], centers=[[0, 0], [5, 5]], cluster_std=[0.5, 1.0], random_state=3, return_centers=True))
show(*make_classification(n_samples=60, n_features=5, random_state=7))
show(*make_classification(40, 8, n_informative=4, n_redundant=1, n_repeated=1, n_classes=3, flip_y=0.1, weights=[0.6, 0.3], random_state=1))
show(*make_classification(30, 40, n_informative=35, n_clusters_per_class=1, class_sep=2.0, shift=None, scale=None, hypercube=False, random_state=2))
show(*make_regression(n_samples=20, n_features=3, noise=0.5, random_state=4))
show(*make_regression(20, 4, n_informative=2, n_targets=2, bias=1.0, coef=True, random_state=5))
show(*make_s_curve(9, noise=0.1, random_state=0), *make_swiss_roll(9, random_state=0), *make_swiss_roll(9, hole=True, random_state=0))
show(*make_gaussian_quantiles(n_samples=20, random_state=0), *make_friedman1(10, random_state=0))
np.random.seed(3)
show(*sklearn.datasets.make_moons(10, noise=0.1))

parts = train_test_split(X, y, test_size=0.2, random_state=42)
show(*parts)
show(*train_test_split(X, y, train_size=10, random_state=0, stratify=y), *train_test_split(y, shuffle=False))
print(train_test_split(list("abcdef"), [1, 2, 3, 4, 5, 6], random_state=1, test_size=2))
print(train_test_split(torch.arange(6), random_state=1))
for train, test in KFold(n_splits=3, shuffle=True, random_state=0).split(np.arange(7)):
    print(train, test)
print([test.tolist() for _, test in KFold(2).split([1, 2, 3])], KFold(3))

scaler = StandardScaler()
scaled = scaler.fit_transform(parts[0])
show(scaled, scaler.transform(parts[1]), scaler.inverse_transform(scaled), scaler.mean_, scaler.scale_)
print(StandardScaler().fit_transform(np.float32([[1, 5], [3, 5]])), scaler)
show(MinMaxScaler().fit_transform(X), MinMaxScaler(feature_range=(-1, 1)).fit(X).transform(X[:2]))
encoder = LabelEncoder()
print(encoder.fit_transform(["cat", "dog", "cat"]), encoder.classes_, encoder.inverse_transform([1, 0]))
print(OneHotEncoder(sparse_output=False).fit_transform([["a"], ["b"], ["a"]]))

t, p = [0, 1, 2, 2, 1, 0, 1], [0, 2, 2, 2, 1, 0, 0]
print(accuracy_score(t, p), confusion_matrix(t, p), f1_score(t, p, average="macro"), f1_score(t, p, average=None))
print(precision_score(t, p, average="weighted"), recall_score(t, p, average="micro"))
print(f1_score([0, 1, 1], [1, 1, 0]), precision_score([0, 1, 1], [1, 1, 0]), recall_score([0, 1, 1], [1, 1, 0]))
print(classification_report(t, p), classification_report([0, 1], [0, 1], target_names=["no", "yes"], digits=3))
print(mean_squared_error([1.0, 2.0], [1.5, 2.0]), mean_absolute_error([1, 2], [2, 4]), r2_score([1, 2, 3], [1.1, 2, 2.7]))
print(roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), accuracy_score(np.array([1, 0]), torch.tensor([1, 1])))
print(mean_squared_error(torch.tensor([1.0, 2.0]), np.array([1.0, 4.0])))


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: train_test_split(X, y[:3]))
attempt(lambda: train_test_split([1]))
attempt(lambda: StandardScaler().transform(X))
attempt(lambda: accuracy_score([1], [1, 2]))
attempt(lambda: f1_score(t, p))
attempt(lambda: StandardScaler().fit([1.0, 2.0]))
attempt(lambda: make_moons((1, 2, 3)))

Xt, yt = torch.tensor(scaled, dtype=torch.float32), torch.tensor(parts[2])
w = torch.zeros(2, requires_grad=True)
loss = torch.nn.functional.binary_cross_entropy_with_logits(Xt @ w, yt.float())
loss.backward()
print(loss, w.grad)
