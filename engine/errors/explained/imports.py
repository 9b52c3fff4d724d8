"""Names that programs by custom give to modules and to what is in them, and the imports that do."""

from __future__ import annotations

_AS = {"F": "torch.nn.functional", "np": "numpy", "plt": "matplotlib.pyplot"}
_FROM = {
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "copy": "deepcopy",
    "dataclasses": "dataclass field",
    "functools": "lru_cache partial reduce wraps",
    "torch": "Tensor autograd nn optim",
    "torch.autograd": "Function Variable",
    "torch.nn": "Module Parameter init",
    "torch.utils.data": "DataLoader Dataset TensorDataset",
    "torchvision": "datasets models transforms",
    "tqdm": "tqdm trange",
    "typing": "Any Callable Dict List Optional Tuple Union",
}
_MODULES = (
    "argparse copy csv einops functools glob itertools json logging math numpy os pathlib pickle random re string sys "
    "time torch torchvision typing warnings"
)

IMPORTS: dict[str, str] = {
    **{name: f"import {name}" for name in _MODULES.split()},
    **{name: f"import {module} as {name}" for name, module in _AS.items()},
    **{name: f"from {module} import {name}" for module, names in _FROM.items() for name in names.split()},
}
"""The import that gives each name its meaning."""
