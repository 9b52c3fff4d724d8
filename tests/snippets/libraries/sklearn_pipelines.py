# Pipelines, clones, and scores on parts of the data.
import numpy as np
from sklearn.pipeline import make_pipeline, Pipeline
from sklearn.preprocessing import StandardScaler, PolynomialFeatures, MinMaxScaler
from sklearn.linear_model import LogisticRegression, LinearRegression, Ridge
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.cluster import KMeans
from sklearn.model_selection import cross_val_score, cross_val_predict, KFold, train_test_split
from sklearn.datasets import load_wine, make_regression, load_iris
from sklearn.base import clone
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
X, y = load_wine(return_X_y=True)
p = make_pipeline(StandardScaler(), LogisticRegression(C=2))
print(p, p.fit(X, y).score(X, y), p.predict(X[:5]), p.predict_proba(X[:2]).round(4), len(p), p[0], p[-1], list(p.named_steps), p.classes_)
q = Pipeline([('scale', StandardScaler()), ('pca', PCA(2)), ('km', KMeans(3, random_state=0))])
print(q.fit_predict(X)[:10], q.named_steps['pca'].explained_variance_ratio_, q['pca'], q.transform(X[:2]), q.steps[0])
r = make_pipeline(PolynomialFeatures(2), LinearRegression())
x = np.linspace(0, 1, 20)[:, None]; r.fit(x, (3 * x**2 - x).ravel()); print(r.predict([[0.5]]), r.score(x, (3 * x**2 - x).ravel()), r)
print(make_pipeline(StandardScaler(), StandardScaler()).steps, make_pipeline(MinMaxScaler(), PCA(2)).fit_transform(X)[:2])
print(p.set_params(logisticregression__C=5), sorted(p.get_params())[:4])
print(clone(p), clone(Ridge(alpha=3)))
print(cross_val_score(p, X, y), cross_val_score(p, X, y, cv=3).mean(), cross_val_score(KNeighborsClassifier(3), X, y, cv=KFold(4, shuffle=True, random_state=0)))
print(cross_val_score(LinearRegression(), *make_regression(60, 4, noise=5.0, random_state=0), cv=4), cross_val_score(Ridge(), *make_regression(60, 4, noise=5.0, random_state=0), scoring='neg_mean_squared_error', cv=4), cross_val_score(p, X, y, scoring='f1_macro'))
print(cross_val_predict(p, X, y)[:8], cross_val_predict(p, X, y, method='predict_proba').shape)
t(lambda: Pipeline([('a', StandardScaler()), ('a', PCA())]).fit(X))
t(lambda: make_pipeline(StandardScaler(), LogisticRegression()).predict(X))
t(lambda: clone(3))
t(lambda: p.predict(X[:, :2]))
t(lambda: p['foo'])
