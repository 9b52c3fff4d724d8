# Where matplotlib's axes begin and end: margins, edges that bars and images stick to, logarithms, limits that were set.
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import torch

np.random.seed(0)
cases = {
    "empty": lambda a: None,
    "plot": lambda a: a.plot([1, 2, 4], [3, -4, 5]),
    "one point": lambda a: a.plot([5], [7]),
    "origin": lambda a: a.plot([0], [0]),
    "not finite": lambda a: a.plot([1, float("nan"), 3], [1, 100, float("inf")]),
    "scatter not finite": lambda a: a.scatter([1, float("nan"), 3], [1, 100, float("inf")]),
    "tensors": lambda a: a.plot(torch.arange(5), torch.arange(5) ** 2),
    "scatter": lambda a: a.scatter(torch.linspace(-1, 1, 5), torch.linspace(3, 4, 5)),
    "bars": lambda a: a.bar([1, 2], [3, -4]),
    "bars of words": lambda a: a.bar(["a", "b", "c"], [3, 4, 5]),
    "lying bars": lambda a: a.barh([1, 2], [3, 4]),
    "bars on bars": lambda a: (a.bar([1, 2], [3, 4]), a.bar([1, 2], [1, 1], bottom=[3, 4])),
    "histogram": lambda a: a.hist([1, 2, 2, 3]),
    "steps": lambda a: a.hist([1, 2, 2, 3], histtype="step"),
    "filled steps": lambda a: a.hist([1, 2, 2, 3], histtype="stepfilled"),
    "lying histogram": lambda a: a.hist([1, 2, 2, 3], orientation="horizontal"),
    "log histogram": lambda a: a.hist([1, 2, 2, 3], bins=[0, 1, 2, 3], log=True),
    "log bars": lambda a: a.bar([1, 2], [3, 4], log=True),
    "area": lambda a: a.fill_between([1, 2], [3, 4]),
    "area between": lambda a: a.fill_between([1, 2], [3, 4], -1, alpha=0.2),
    "errors": lambda a: a.errorbar([1, 2], [3, 4], yerr=0.5),
    "errors both": lambda a: a.errorbar([1, 2], [3, 4], xerr=[0.1, 0.2], yerr=[[1, 2], [3, 4]]),
    "image": lambda a: a.imshow(np.ones((3, 5))),
    "image and line": lambda a: (a.imshow(np.ones((3, 5))), a.plot([0, 10], [0, 1])),
    "image at a place": lambda a: a.imshow(np.ones((3, 5)), extent=[0, 1, 0, 2], origin="lower"),
    "matrix": lambda a: a.matshow(np.ones((3, 5))),
    "mesh": lambda a: a.pcolormesh(np.ones((3, 4))),
    "mesh with edges": lambda a: a.pcolormesh([0, 1, 2], [0, 1], [[1, 2]]),
    "contours": lambda a: a.contour([[1, 2], [3, 4]]),
    "filled contours": lambda a: a.contourf([0, 1, 2], [0, 1], [[1, 2, 3], [2, 3, 4]]),
    "contours and points": lambda a: (a.contourf([0, 1, 2], [0, 1], [[1, 2, 3], [2, 3, 4]]), a.scatter([1], [3])),
    "across": lambda a: a.axhline(3),
    "both across": lambda a: (a.axhline(3), a.axvline(-2)),
    "line and across": lambda a: (a.plot([1, 2], [3, 4]), a.axhline(5), a.axvline(1.5)),
    "span": lambda a: a.axvspan(1, 2),
    "lines along": lambda a: (a.hlines([1, 2], 0, 3), a.vlines(1, -1, [5])),
    "log x": lambda a: (a.plot([1, 10, 100], [1, 2, 3]), a.set_xscale("log")),
    "log y with zero": lambda a: a.semilogy([1e-5, 0, 1, -3]),
    "log log of one": lambda a: a.loglog([5], [5]),
    "log of nothing": lambda a: a.set_yscale("log"),
    "symmetric log": lambda a: (a.set_xscale("symlog"), a.plot([-100, 100])),
    "step": lambda a: a.step([0, 1, 2], [1, 2, 3]),
    "stem": lambda a: a.stem([0, 1, 2], [1, 2, 3]),
    "text": lambda a: a.text(5, 5, "x"),
    "annotation": lambda a: a.annotate("x", (5, 5)),
    "no margins": lambda a: (a.plot([0, 1], [0, 1]), a.margins(0)),
    "wide margins": lambda a: (a.plot([0, 1], [0, 1]), a.margins(x=0.2)),
    "right end": lambda a: (a.plot([0, 1], [0, 1]), a.set_xlim(right=0.5)),
    "both ends": lambda a: (a.plot([0, 1], [0, 1]), a.set_xlim(-1, 2), a.set_ylim((3, 4))),
    "upside down": lambda a: (a.invert_yaxis(), a.plot([0, 1], [0, 5])),
    "backwards": lambda a: (a.plot([0, 1], [0, 5]), a.set_xlim(1, 0)),
    "axis": lambda a: a.axis([0, 1, 2, 3]),
    "words": lambda a: a.plot(["a", "b", "a"], [1, 2, 3]),
    "columns": lambda a: a.plot(np.arange(6).reshape(3, 2)),
    "two columns": lambda a: a.hist(np.arange(6).reshape(3, 2), bins=3),
    "ticks beyond": lambda a: (a.plot([0, 1], [0, 1]), a.set_xticks([0, 1, 2])),
}
for name, draw in cases.items():
    fig, ax = plt.subplots()
    draw(ax)
    print(name, [round(float(v), 9) for v in (*ax.get_xlim(), *ax.get_ylim())])
    plt.close(fig)

fig, axes = plt.subplots(2, 2, sharex=True, sharey="row")
axes[0, 0].plot([0, 10], [1, 2])
axes[1, 1].plot([5, 20], [3, 40])
for ax in axes.flat:
    print([round(float(v), 9) for v in (*ax.get_xlim(), *ax.get_ylim())])
left = plt.figure().add_subplot(1, 2, 1)
right = left.twinx()
left.plot([1, 2, 3])
right.plot([10, 200, 3000])
for ax in (left, right):
    print([round(float(v), 9) for v in (*ax.get_xlim(), *ax.get_ylim())])
plt.figure()
plt.plot([1, 2], [3, 4])
print([float(v) for v in plt.xlim(0, 5)], [float(v) for v in plt.ylim(top=9)], [float(v) for v in plt.axis()])
plt.xlim(2)
print([float(v) for v in plt.xlim()])
