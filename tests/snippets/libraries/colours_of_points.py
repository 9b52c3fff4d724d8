# The colours that a scatter plot gives to values, for legends of one's own
import matplotlib.pyplot as plt
import torch

x = torch.linspace(0, 1, 6)
scatter = plt.scatter(x, x**2, c=torch.tensor([0.0, 1.0, 1.0, 2.0, 0.0, 4.0]), cmap="viridis")
print(scatter.norm.vmin, scatter.norm.vmax)
print([tuple(round(float(part), 4) for part in scatter.cmap(scatter.norm(value))) for value in (0, 1, 4)])
image = plt.imshow(torch.arange(6.0).reshape(2, 3), vmin=-1, vmax=7)
print(image.norm.vmin, image.norm.vmax, round(float(image.norm(3.0)), 4))
