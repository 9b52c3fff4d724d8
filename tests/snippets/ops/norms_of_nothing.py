# Norms of matrices without rows or columns
import torch


def b8():
    import math
    m = torch.zeros(0, 3)
    for o in (math.inf, -math.inf, 1, -1, 2, -2, 'nuc', 'fro'):
        for mm in (m, torch.zeros(3, 0)):
            try: print(o, torch.linalg.norm(mm, o))
            except Exception as e: print(o, type(e).__name__, e)

b8()
