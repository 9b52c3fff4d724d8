# ValueError: operands could not be broadcast together with shapes (2,) (3,) 
import numpy as np
a = np.array([1, 2]) + np.array([1, 2, 3])
