# AttributeError: 'numpy.ndarray' object has no attribute 'foo'
import numpy as np
np.zeros(2).foo
