# ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?
import numpy as np
np.ones((2, 3)) @ np.ones((2, 3))
