"""Record the public names of torch's namespaces:  python -m tests.record.names  (needs torch 2.13)."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

SPACES = """
torch torch.Tensor torch.amp torch.ao.quantization torch.autograd torch.autograd.functional torch.autograd.graph
torch.autograd.profiler torch.backends torch.backends.cuda torch.backends.cudnn torch.backends.mkldnn
torch.backends.mps torch.compiler torch.cpu torch.cuda torch.cuda.amp torch.cuda.memory torch.cuda.nvtx
torch.cuda.random torch.distributed torch.distributions torch.fft torch.func torch.fx torch.hub torch.jit
torch.library torch.linalg torch.masked torch.mps torch.multiprocessing torch.nn torch.nn.attention
torch.nn.functional torch.nn.init torch.nn.parallel torch.nn.utils torch.nn.utils.parametrizations
torch.nn.utils.parametrize torch.nn.utils.prune torch.nn.utils.rnn torch.onnx torch.optim torch.optim.lr_scheduler
torch.optim.swa_utils torch.overrides torch.profiler torch.quantization torch.random torch.serialization torch.signal
torch.sparse torch.special torch.storage torch.testing torch.utils torch.utils.checkpoint torch.utils.data
torch.utils.hooks torch.xpu
""".split()
OF_PYTHON = frozenset({"Any", "Callable", "TypeVar", "annotations"})


def of_torch(name: str, value: Any) -> bool:
    """Whether a name is PyTorch's own, and nothing that its module has imported."""
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or "torch"
    return not name.startswith("_") and name not in OF_PYTHON and (home == "builtins" or home.startswith("torch"))


def names(space: str) -> list[str]:
    """The public names of a module, or of a class, as `torch.Tensor`."""
    found = torch.Tensor if space == "torch.Tensor" else import_module(space)
    return sorted(name for name in dir(found) if of_torch(name, getattr(found, name)))


def main() -> None:
    path = Path(__file__).parent.parent.parent / "engine" / "errors" / "names.txt"
    path.write_text("".join(f"{space}: {' '.join(names(space))}\n" for space in SPACES))


if __name__ == "__main__":
    main()
