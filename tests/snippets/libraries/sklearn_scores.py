"""Scores of scikit-learn beside the most common, and what it refuses."""

import numpy as np, torch, sklearn
from sklearn import metrics
from sklearn.metrics import *
from sklearn.preprocessing import StandardScaler, MinMaxScaler, label_binarize
from sklearn.utils import shuffle
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:200])
def r(v): return {k: r(x) for k, x in v.items()} if isinstance(v, dict) else round(v, 6)
y, p = [0, 1, 1, 0, 1, 0, 1, 1], [0, 1, 0, 0, 1, 1, 1, 1]
y3, p3 = np.array([0, 1, 2, 2, 1, 0, 2]), torch.tensor([0, 2, 2, 2, 1, 1, 0])
s = [.1, .8, .35, .2, .9, .6, .7, .55]
s3 = np.array([[.7, .2, .1], [.2, .3, .5], [.1, .2, .7], [.3, .1, .6], [.1, .8, .1], [.3, .4, .3], [.4, .3, .3]])
print(sklearn.__version__ == metrics.__name__ or sklearn.__version__.count('.'))
for f in (balanced_accuracy_score, matthews_corrcoef, cohen_kappa_score, hamming_loss, zero_one_loss):
    print(f.__name__, round(f(y, p), 6), round(f(y3, p3), 6))
print(round(cohen_kappa_score(y3, p3, weights='quadratic'), 6), round(cohen_kappa_score(y3, p3, weights='linear'), 6), round(balanced_accuracy_score(y3, p3, adjusted=True), 6), zero_one_loss(y, p, normalize=False))
print([round(v, 6) if v is not None else v for v in precision_recall_fscore_support(y3, p3, average='macro')])
print([v.round(4) for v in precision_recall_fscore_support(y3, p3)], precision_recall_fscore_support(y, p, average='micro'))
print([round(v, 6) if v is not None else v for v in precision_recall_fscore_support(y, p, average='binary', beta=2.)])
print(round(fbeta_score(y, p, beta=.5), 6), round(jaccard_score(y, p), 6), jaccard_score(y3, p3, average=None).round(4), round(jaccard_score(y3, p3, average='macro'), 6), round(jaccard_score(y3, p3, average='micro'), 6))
print(round(log_loss(y, s), 6), round(log_loss(y3, s3), 6), round(log_loss(y, s, normalize=False), 6), round(log_loss([1, 1], [.9, .8], labels=[0, 1]), 6), log_loss(y, y) < 1e-12)
print(*[v.round(4) for v in precision_recall_curve(y, s)]); print(*[v.round(4) for v in precision_recall_curve(y, s, drop_intermediate=True)])
print(round(average_precision_score(y, s), 6), round(brier_score_loss(y, s), 6), round(top_k_accuracy_score(y3, s3, k=2), 6))
a, b = [3., -.5, 2., 7.], [2.5, 0., 2., 8.]
for f in (max_error, explained_variance_score, mean_absolute_percentage_error, median_absolute_error, r2_score): print(f.__name__, round(f(a, b), 6))
print(round(mean_squared_log_error([3, 5, 2.5, 7], [2.5, 5, 4, 8]), 6), r2_score([1], [1]))
print(r(classification_report(y3, p3, output_dict=True)))
print(r(classification_report(y, p, output_dict=True, target_names=['no', 'yes'])))
X, z = np.arange(8).reshape(4, 2), [1, 2, 3, 4]
print(shuffle(X, z, random_state=0), shuffle(z, random_state=1), shuffle(X, random_state=2, n_samples=2))
print(label_binarize([1, 6, 1], classes=[1, 2, 4, 6]), label_binarize(['yes', 'no'], classes=['no', 'yes']), label_binarize([0, 1], classes=[0, 1], neg_label=-1))
t(lambda: StandardScaler().fit(X).transform([[1.]]))
t(lambda: MinMaxScaler().fit(X).transform(np.ones((1, 3))))
t(lambda: log_loss([1, 1], [.5, .5]))
t(lambda: log_loss(y3, np.ones((7, 2)) / 2))
t(lambda: f1_score(y3, p3))
t(lambda: jaccard_score(y3, p3))
t(lambda: max_error([[1, 2]], [[1, 2]]))
t(lambda: brier_score_loss([0, 1], [.5, 1.5]))
t(lambda: precision_recall_curve([0, 1], [.5]))
t(lambda: shuffle([1, 2], [1]))
