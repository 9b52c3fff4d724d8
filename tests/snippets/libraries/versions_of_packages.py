# Versions of packages, as notebooks print them, and one that is not installed.
from importlib import metadata
from importlib.metadata import PackageNotFoundError, version

import matplotlib
import numpy as np
import torch

print("torch version:", version("torch"), version("Torch") == torch.__version__)
for package in (np, matplotlib):
    print(package.__name__, version(package.__name__) == package.__version__)
print(version("scikit_learn") == version("scikit-learn"), metadata.metadata("numpy")["Name"])
print("torch" in {each.metadata["Name"] for each in metadata.distributions()})
try:
    version("no-such-package")
except PackageNotFoundError as error:
    print(error)
x = torch.ones(2, requires_grad=True)
x.sum().backward()
