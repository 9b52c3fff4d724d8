# What programs read back of what they drew: numbers, labels, styles, grids of axes, colours of a map.
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib import cm
from matplotlib.gridspec import GridSpec

fig, ax = plt.subplots()
print(fig, repr(fig), ax.get_title() == "", type(ax), type(fig))
(line,) = ax.plot([1, 2, 3], [4.0, 5.0, 6.5], "g--o", label="a", lw=3)
print(line.get_xdata(), line.get_ydata(), line.get_label(), line.get_linestyle(), line.get_marker(), line.get_linewidth())
print(line.get_color(), line.get_data()[1], line.get_markersize())
(plain,) = ax.plot(torch.tensor([1.0, 0.5]))
print(plain.get_xdata(), plain.get_ydata(), plain.get_label(), plain.get_linestyle(), plain.get_marker())
line.set_ydata(np.array([1, 2, 9]))
line.set_label("b")
print(line.get_ydata(), [some.get_label() for some in ax.get_lines()], len(ax.lines))
print(ax.get_legend_handles_labels()[1], len(ax.plot([1, 2], [[1, 2], [3, 4]])), len(ax.plot([1], [2], "r.", [3], [4], "b-")))
ax.set_xlabel("x")
ax.set_ylabel("y")
ax.set_title("title")
ax.set(xlabel="x2", xlim=(0, 9))
print(ax.get_xlabel(), ax.get_ylabel(), ax.get_title(), [float(v) for v in ax.get_xlim()], ax.get_xscale(), repr(ax))
print(plt.gca() is ax, plt.gcf() is fig, ax.figure is fig, fig.axes == [ax], plt.get_fignums(), plt.fignum_exists(7))

n, bins, patches = plt.hist(np.array([1, 2, 2, 3, 7.5]), bins=4)
print(n, bins, len(patches), patches[0].get_height(), patches)
n, bins, patches = plt.hist([0.1, 0.4, 0.7], bins=3, range=(0, 1), density=True)
print(n, bins)
n, bins, _ = plt.hist([[1, 2, 3], [2, 3, 3]], bins=[0, 2, 3, 4], stacked=True)
print(n, bins)
n, bins, _ = plt.hist([1, 2, 2, 3], cumulative=True, bins=2, weights=[1, 2, 3, 4])
print(n, bins)
n, bins, _ = plt.hist(torch.tensor([1.0, 2.0, 2.5, 9.0]), bins="auto")
print(n, bins)

bars = plt.bar(["a", "b"], [3, 4], color=["r", "b"])
print(len(bars), [bar.get_height() for bar in bars], [round(float(bar.get_x()), 3) for bar in bars], bars)
for bar, label in zip(bars, "xy"):
    plt.text(bar.get_x() + bar.get_width() / 2, bar.get_height(), label, ha="center")
plt.figure()
points = plt.scatter([1, 2], [3, 4], c=[0.1, 0.9], cmap="coolwarm")
print(points.get_offsets().shape, [float(v) for v in points.get_clim()])
image = plt.imshow(np.arange(6).reshape(2, 3), cmap="gray")
print([float(v) for v in image.get_clim()], image.get_array().shape)
print(plt.contourf([[1, 2], [3, 4]]).levels, plt.contour([[1, 2], [3, 40]], 3).levels)
print(plt.contourf(*np.meshgrid([0, 1, 2], [0, 1]), np.array([[0, 1, 1], [0, 0, 1]]), levels=[0, 0.5, 1]).levels)

fig, axes = plt.subplots(2, 3, figsize=(9, 4))
print(axes.shape, axes.size, axes.ndim, len(axes), len(axes.flatten()), axes[0, 1] is axes.flat[1], axes[1][2] is axes.ravel()[5])
print(axes[:, 0].shape, axes.T.shape, len(list(enumerate(axes.flat))), len([ax for row in axes for ax in row]), fig)
fig, (left, right) = plt.subplots(1, 2)
print(type(left) is type(right), len(fig.axes), plt.gca() is right)
fig, axes = plt.subplots(3, 1, squeeze=False)
print(axes.shape)
one = plt.subplot(2, 1, 1)
two = plt.subplot(212)
print(plt.subplot(2, 1, 1) is one, plt.gca() is one, len(plt.gcf().axes), type(two))
grid = GridSpec(2, 3)
fig = plt.figure(figsize=(4, 3))
spans = [fig.add_subplot(grid[0, :]), fig.add_subplot(grid[1, 0]), fig.add_subplot(grid[1, 1:])]
print(len(fig.get_axes()), fig.get_size_inches(), fig)

for name in ("viridis", "jet", "coolwarm", "tab10", "gray_r", "Blues", "hot", "rainbow"):
    found = plt.get_cmap(name)
    print(name, found.N, [round(float(v), 6) for v in found(0.3)], [round(float(v), 6) for v in found(1.0)])
print(cm.viridis(np.array([0.0, 0.5, 1.0])).round(4).tolist(), cm.plasma(5)[:3] == cm.plasma(5)[:3])
print([tuple(round(float(v), 4) for v in plt.cm.viridis(i / 4)) for i in range(5)])
print(len(plt.rcParams["axes.prop_cycle"].by_key()["color"]), plt.rcParams["figure.figsize"])
plt.rcParams["figure.figsize"] = (10, 6)
plt.rcParams.update({"font.size": 12})
print(plt.figure(), matplotlib.rcParams["font.size"] == 12)
plt.close("all")
print(plt.get_fignums())
with plt.style.context("ggplot"):
    pass
print(plt.show(), plt.tight_layout(), plt.close(), plt.grid(True), plt.savefig("loss.png"), plt.ion() is None)

counts, across, upward, mesh = plt.hist2d([1, 2, 2, 3, 3, 3], [0, 1, 1, 2, 2, 5], bins=(3, [-1, 1, 3, 5]))
print(counts.tolist(), across.tolist(), upward.tolist())
fig, named = plt.subplot_mosaic("AAB;C.B")
print(sorted(named), [named[key].get_title() for key in sorted(named)], len(fig.axes))
(empty,) = named["A"].plot([], [])
print(len(empty.get_xdata()), len(named["A"].lines), len(named["B"].images), len(named["C"].texts))
empty.set_data([1, 2], [3, 4])
print([int(y) for y in empty.get_ydata()])
named["C"].text(0, 0, "words")
named["B"].imshow([[1, 2]])
print([text.get_text() for text in named["C"].texts], len(named["B"].images))
for wrong in ("AB;C", "AB;CA"):
    try:
        plt.subplot_mosaic(wrong)
    except ValueError as error:
        print(error)
