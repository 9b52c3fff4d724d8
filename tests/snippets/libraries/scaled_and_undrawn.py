# Features that `scale` standardizes, and drawing with what is accepted but not drawn: transforms, patches, seaborn's maps.
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from sklearn.preprocessing import scale

X = np.arange(12.0).reshape(4, 3) ** 2
print(scale(X))
print(scale(X[:, 0]))
print(scale(X, axis=1))
print(scale(X, with_std=False))
print(scale(X.astype(int), with_mean=False))
print(scale(np.ones((3, 2))), scale(X.astype(np.float32)).dtype)
print(scale(torch.tensor(X)).shape, X[0])
try:
    scale(X, axis=2)
except ValueError as error:
    print(error)

fig, ax = plt.subplots()
turned = matplotlib.transforms.Affine2D().rotate_deg_around(1, 2, 30) + ax.transData
ax.add_patch(Rectangle((0, 1), 2, 3, color="C2", alpha=0.8, transform=turned))
ax.add_line(Line2D((0, 1), (1, 2), lw=3, color="C5"))
cmap = sns.diverging_palette(220, 20, as_cmap=True)
plt.figure()
plt.contourf(X, cmap=cmap)
plt.scatter(X[:, 0], X[:, 1], c=X[:, 2], cmap=cmap)
for bar in plt.bar([0, 1, 2], [3, 4, 5]):
    plt.text(bar.get_x() + bar.get_width() / 2, bar.get_height() + 0.1, f"{bar.get_height():.1f}")
plt.show()
print("drawn")
