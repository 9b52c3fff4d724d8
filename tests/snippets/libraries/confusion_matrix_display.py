"""Tables of predictions, as numbers and as figures."""

import numpy as np
import matplotlib.pyplot as plt
from sklearn import metrics
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
y = [0, 1, 2, 2, 1, 0, 2]
p = [0, 2, 2, 2, 1, 0, 1]
c = confusion_matrix(y, p)
print(c, confusion_matrix(y, p, normalize="true"), confusion_matrix(y, p, normalize="pred"), confusion_matrix(y, p, normalize="all"), sep="\n")
d = ConfusionMatrixDisplay(confusion_matrix=c, display_labels=["cat", "dog", "bird"])
print(d.confusion_matrix.sum(), d.display_labels)
d.plot(cmap="Blues")
d.ax_.set_title("Test")
plt.show()
e = metrics.ConfusionMatrixDisplay.from_predictions(y, p, normalize="true", colorbar=False)
print(type(e).__name__, e.confusion_matrix[0])
plt.show()
fig, ax = plt.subplots(1, 2)
d.plot(ax=ax[0], values_format="d", include_values=False)
plt.show()
