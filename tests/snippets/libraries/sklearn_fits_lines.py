# scikit-learn's polynomial features, least squares and ridge
import numpy as np
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.preprocessing import PolynomialFeatures

rng = np.random.RandomState(0)
X = rng.randn(20, 2)
y = 1.5 + X @ np.array([2.0, -3.0]) + 0.1 * rng.randn(20)

for poly in (
    PolynomialFeatures(),
    PolynomialFeatures(degree=3, include_bias=False),
    PolynomialFeatures(3, interaction_only=True),
    PolynomialFeatures((2, 3)),
):
    Z = poly.fit_transform(X)
    print(poly, Z.shape, poly.n_output_features_, poly.powers_.tolist(), poly.get_feature_names_out())
    print(Z[:2].round(5))

for model in (LinearRegression(), LinearRegression(fit_intercept=False), Ridge(), Ridge(alpha=0.5)):
    print(model, model.fit(X, y).coef_.round(5), round(float(model.intercept_), 5))
    print(model.predict(X[:3]).round(5), round(float(model.score(X, y)), 6))

both = LinearRegression().fit(X, np.stack([y, -y], 1))
print(both.coef_.round(5), both.intercept_.round(5), both.predict(X[:2]).round(5))
line = LinearRegression().fit(PolynomialFeatures(1).fit_transform(X), y)
print(line.coef_.round(5), round(float(line.intercept_), 5))
for wrong in (lambda: LinearRegression().predict(X), lambda: line.predict(X), lambda: line.fit(X[:3], y)):
    try:
        wrong()
    except ValueError as error:
        print(type(error).__name__, error)
