# Logistic regression by L-BFGS: weights, levels, steps, probabilities, and what it says of wrong data.
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.datasets import load_iris, make_moons, make_blobs, make_classification, load_breast_cancer, load_digits, load_wine, make_circles
from sklearn.preprocessing import StandardScaler
from sklearn.model_selection import train_test_split
def show(name, m, X, y):
    m.fit(X, y)
    print(name, m, m.n_iter_, np.round(m.coef_[:2, :4], 5), np.round(m.intercept_, 5), m.score(X, y), m.classes_, np.round(m.predict_proba(X[:2]), 5), m.predict(X[:3]))
X, y = load_iris(return_X_y=True)
show('iris2', LogisticRegression(), X[:100, :2], y[:100])
show('scaled', LogisticRegression(C=10.0), StandardScaler().fit_transform(X), y)
show('moons', LogisticRegression(), *make_moons(200, noise=0.2, random_state=0))
show('nopen', LogisticRegression(C=np.inf), *make_moons(200, noise=0.3, random_state=1))
show('noint', LogisticRegression(fit_intercept=False), *make_moons(200, noise=0.3, random_state=1))
show('blobs', LogisticRegression(), *make_blobs(300, centers=4, random_state=2))
show('cls', LogisticRegression(class_weight='balanced'), *make_classification(300, 5, weights=[.9], random_state=3))
show('clsw', LogisticRegression(class_weight={0: 1, 1: 5}, tol=1e-8), *make_classification(300, 5, random_state=4))
X, y = load_digits(return_X_y=True)
show('digits', LogisticRegression(max_iter=300), X / 16, y)
X, y = load_wine(return_X_y=True)
show('circles', LogisticRegression(), *make_circles(100, random_state=0))
show('text', LogisticRegression(), [[0.0], [1.0], [2.0], [3.0]], ['a', 'a', 'b', 'b'])
show('f32', LogisticRegression(), np.float32(StandardScaler().fit_transform(X)), y)
m = LogisticRegression().fit([[0.], [1.]], [0, 1]); print(m.decision_function([[2.]]), m.predict_log_proba([[2.]]))
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
t(lambda: LogisticRegression().fit(X, np.zeros(len(X))))
t(lambda: LogisticRegression().fit(X, X[:, 0]))
t(lambda: LogisticRegression().fit(X, y[:5]))
t(lambda: LogisticRegression().predict(X))
t(lambda: LogisticRegression(C=-1).fit(X, y))
t(lambda: m.predict(X))
t(lambda: LogisticRegression(multi_class='ovr'))
t(lambda: LogisticRegression(penalty='l2').fit([[0.], [1.]], [0, 1]).coef_)
t(lambda: m.get_params())
