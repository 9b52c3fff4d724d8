# IndexError: index 5 is out of bounds for axis 0 with size 3
import numpy as np
np.zeros(3)[5]
