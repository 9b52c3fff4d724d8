# Principal components, k-means and nearest neighbors, as scikit-learn finds them.
import numpy as np
from sklearn.decomposition import PCA
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.datasets import load_iris, make_moons, make_blobs, load_digits, load_wine
from sklearn.preprocessing import StandardScaler
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
X, y = load_iris(return_X_y=True)
for p, A in ((PCA(2), X), (PCA(n_components=0.95), X), (PCA(2, whiten=True), X), (PCA(3), np.random.RandomState(0).randn(20, 6)), (PCA(2), load_digits().data), (PCA(2, random_state=0), np.float32(X))):
    Z = p.fit_transform(A)
    print(p, Z.shape, Z[:2], p.components_[:2, :4], p.explained_variance_, p.explained_variance_ratio_, p.singular_values_, p.mean_[:4], p.n_components_, p.noise_variance_, Z.dtype)
    print(np.abs(p.inverse_transform(Z) - A).mean(), p.transform(A[:1]))
print(PCA(2).fit(X).get_covariance())
t(lambda: PCA(10).fit(X)); t(lambda: PCA(2).transform(X)); t(lambda: PCA(2).fit(X).transform(X[:, :2])); t(lambda: PCA(2).fit([1, 2]))
for k, A in ((KMeans(3, random_state=0), X), (KMeans(n_clusters=3, random_state=42, n_init=10), X), (KMeans(4, random_state=1), make_blobs(300, centers=4, random_state=1)[0]), (KMeans(2, init='random', random_state=3), make_moons(100, noise=0.1, random_state=0)[0]), (KMeans(10, random_state=0, n_init='auto'), load_digits().data), (KMeans(2, init=np.array([[0., 0], [1, 1]])), [[0., 0], [0, 1], [5, 5], [6, 5]]), (KMeans(3, random_state=0, max_iter=2), X)):
    k.fit(A)
    print(k, k.cluster_centers_[:3, :3], k.labels_[:12], k.inertia_, k.n_iter_, k.labels_.dtype)
print(k.predict(X[:5]), k.transform(X[:2]), k.score(X), KMeans(2, random_state=0).fit_predict(X)[:5], KMeans(2, random_state=0).fit_transform(X)[:2])
t(lambda: KMeans(200).fit(X)); t(lambda: KMeans(2).predict(X)); t(lambda: KMeans(3, random_state=0).fit([[1.0], [1.0], [1.0]]).labels_)
for k in (KNeighborsClassifier(), KNeighborsClassifier(3, weights='distance'), KNeighborsClassifier(n_neighbors=1), KNeighborsClassifier(7, p=1)):
    k.fit(X[::2], y[::2]); print(k, k.score(X[1::2], y[1::2]), k.predict_proba(X[50:53]), k.predict(X[::20]), k.classes_)
print(k.kneighbors(X[:2], 3), k.kneighbors(X[:1], return_distance=False))
W = np.random.RandomState(1).rand(80, 3); r = KNeighborsRegressor(4).fit(W[:, :2], W[:, 2]); print(r, r.predict(W[:3, :2]), r.score(W[:, :2], W[:, 2]))
t(lambda: KNeighborsClassifier(100).fit(X[:50], y[:50]).predict(X)); t(lambda: KNeighborsClassifier().predict(X)); t(lambda: KNeighborsClassifier().fit(X, y[:3]))
print(KNeighborsClassifier().fit([[0], [1], [2], [3], [4]], list('aabbb')).predict([[1.5]]))
