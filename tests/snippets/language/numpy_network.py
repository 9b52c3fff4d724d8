# A network of numpy arrays
import numpy as np
def sigmoid(x): return 1 / (1 + np.exp(-x))
X = np.array([[0,0,1],[0,1,1],[1,0,1],[1,1,1]]); y = np.array([[0,0,1,1]]).T
np.random.seed(1); W = 2 * np.random.random((3, 1)) - 1
for i in range(50):
    o = sigmoid(np.dot(X, W)); W += np.dot(X.T, (y - o) * o * (1 - o))
print(o, W)
