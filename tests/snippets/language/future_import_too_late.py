# A future import that does not begin the program
import torch
from __future__ import annotations

print(torch.ones(1))
