# Norms of samples, the curve of true and false positives, and how well clusters agree
import numpy as np
from sklearn.metrics import auc, roc_curve
from sklearn.metrics.cluster import adjusted_rand_score, mutual_info_score, normalized_mutual_info_score
from sklearn.preprocessing import normalize

X = np.array([[3.0, -4.0], [0.0, 0.0], [1.0, 1.0]])
for norm in ("l1", "l2", "max"):
    print(normalize(X, norm=norm), normalize(X, norm=norm, axis=0))
unit, norms = normalize(X, return_norm=True)
print(norms, normalize(X.astype(np.float32)).dtype)

truth = [0, 0, 1, 1, 0, 1, 1, 0, 1, 1]
scores = [0.1, 0.4, 0.35, 0.8, 0.4, 0.9, 0.7, 0.2, 0.65, 0.3]
fpr, tpr, thresholds = roc_curve(truth, scores)
print(fpr, tpr, thresholds, auc(fpr, tpr))
fpr, tpr, thresholds = roc_curve(np.array(truth) + 1, np.array(scores), pos_label=2, drop_intermediate=False)
print(fpr, tpr, thresholds)
try:
    auc([0, 2, 1], [1, 1, 1])
except ValueError as e:
    print(e)

found = [1, 1, 0, 0, 1, 0, 2, 1, 2, 0]
print(mutual_info_score(truth, found), normalized_mutual_info_score(truth, found), adjusted_rand_score(truth, found))
for method in ("min", "max", "geometric"):
    print(normalized_mutual_info_score(truth, found, average_method=method))
print(normalized_mutual_info_score([0, 0], [1, 1]), normalized_mutual_info_score([0, 1], [1, 1]), adjusted_rand_score([0, 0, 1], [5, 5, 3]))
