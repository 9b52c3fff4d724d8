# Weights that become zero, and numbers that are missing: Lasso, ElasticNet and SimpleImputer
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

rng = np.random.RandomState(0)
X = rng.randn(60, 4)
y = X @ [1.0, 2.0, 0.0, -1.0] + 0.1 * rng.randn(60)
for alpha in (0.01, 0.1, 1.0, 10.0):
    model = Lasso(alpha=alpha).fit(X, y)
    print(model, model.coef_.round(4), round(model.intercept_, 4), model.n_iter_, round(model.score(X, y), 4))
net = ElasticNet(alpha=0.1, l1_ratio=0.7).fit(X, y)
print(net, net.coef_.round(4), net.predict(X[:2]).round(4), net.get_params()["selection"])
both = Lasso(0.1).fit(X, np.stack([y, 2 * y], 1))
print(both.coef_.round(4), both.intercept_.round(4), both.n_iter_)
print(Lasso(0.1, fit_intercept=False).fit(X, y).coef_.round(4))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    Lasso(0.001, max_iter=1).fit(X, y)
    print(caught[0].category is ConvergenceWarning, str(caught[0].message)[:32])

holes = np.array([[1.0, np.nan, 3.0], [4.0, 5.0, np.nan], [7.0, 8.0, 3.0]])
for strategy in ("mean", "median", "most_frequent", "constant"):
    imputer = SimpleImputer(strategy=strategy)
    print(imputer, imputer.fit_transform(holes).tolist(), imputer.statistics_)
print(SimpleImputer(missing_values=-1, strategy="mean").fit_transform([[-1.0, 2.0], [3.0, 4.0]]))
pipe = make_pipeline(SimpleImputer(), StandardScaler(), LinearRegression()).fit(holes, [1.0, 2.0, 3.0])
print(pipe.predict(holes).round(3), imputer.get_feature_names_out())
for wrong in (
    lambda: SimpleImputer().fit(holes).transform([[1.0, 2.0]]),
    lambda: SimpleImputer().transform(holes),
    lambda: Lasso(alpha=-1).fit(X, y),
    lambda: ElasticNet(l1_ratio=2).fit(X, y),
    lambda: Lasso(max_iter=0).fit(X, y),
):
    try:
        wrong()
    except ValueError as error:
        print(type(error).__name__, str(error).splitlines()[0])
