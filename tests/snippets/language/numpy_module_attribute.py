# AttributeError: module 'numpy' has no attribute 'foo'
import numpy as np
np.foo
