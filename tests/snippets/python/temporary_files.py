# Files that pass, modules by name, and versions of packages
import importlib
import importlib.util
import os
import tempfile
from importlib.metadata import PackageNotFoundError, version

import torch

with tempfile.NamedTemporaryFile(suffix=".pth", delete=False) as f:
    path = f.name
print(path.endswith(".pth"), os.path.exists(path))
torch.save({"w": torch.ones(2)}, path)
print(torch.load(path))
os.unlink(path)

with tempfile.NamedTemporaryFile("w+", prefix="notes") as f:
    f.write("one\ntwo\n")
    f.flush()
    f.seek(0)
    print(f.read().split(), os.path.basename(f.name).startswith("notes"), os.path.exists(f.name))
print(f.closed, os.path.exists(f.name))

with tempfile.TemporaryFile() as f:
    torch.save(torch.arange(3), f)
    f.seek(0)
    print(torch.load(f))

functional = importlib.import_module("torch.nn.functional")
print(functional.relu(torch.tensor([-1.0, 2.0])), functional is torch.nn.functional)
print(version("torch") == torch.__version__, importlib.util.find_spec("torch") is not None)
print(importlib.util.find_spec("no_such_module_at_all"))
for ask in (lambda: version("no-such-package"), lambda: importlib.import_module("no_such_module")):
    try:
        ask()
    except (PackageNotFoundError, ImportError) as error:
        print(type(error).__name__, error)
print(issubclass(PackageNotFoundError, ModuleNotFoundError), importlib.reload(torch.nn) is torch.nn)
