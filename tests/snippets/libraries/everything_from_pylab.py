# What a star import of pylab brings: numpy's names, pyplot's, and the styles
from matplotlib.pylab import *

style.use(["dark_background", "bmh"])
seed(3)
print(0 <= random() < 1, rand(2, 2).shape, inv(eye(2) * 2), abs(fft([1.0, 0.0])), max([3, 1, 2]), norm([3, 4]))
print(matplotlib.__name__, mpl is matplotlib)
print(pi, linspace(0, 1, 3), "ggplot" in style.available)
