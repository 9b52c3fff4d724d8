"""What `import torchvision` finds."""

from __future__ import annotations

from typing import Any

from engine.program.stdlib.torchvision.augment import FUNCTIONAL, TRANSFORMS
from engine.program.stdlib.torchvision.automatic import AUTOMATIC, AUTOMATIC_V2
from engine.program.stdlib.torchvision.datasets import DATASETS, FILES
from engine.program.stdlib.torchvision.models import MODELS, BasicBlock, Bottleneck, ResNet
from engine.program.stdlib.torchvision.ops import MISC, OPS
from engine.program.stdlib.torchvision.utils import UTILS
from engine.program.stdlib.torchvision.v2 import FUNCTIONAL_V2, V2
from engine.program.values import Module

_PARTS: dict[str, dict[str, Any]] = {
    "datasets": DATASETS, "models": MODELS, "transforms": {**TRANSFORMS, **AUTOMATIC}, "utils": UTILS, "ops": OPS,
    "transforms.functional": FUNCTIONAL, "transforms.v2": {**V2, **AUTOMATIC_V2},
    "transforms.autoaugment": AUTOMATIC,
    "transforms.v2.functional": FUNCTIONAL_V2,
    "ops.misc": MISC,
    "ops.boxes": {name: OPS[name] for name in OPS if ("box" in name or "nms" in name) and "loss" not in name},
    "ops.focal_loss": {"sigmoid_focal_loss": OPS["sigmoid_focal_loss"]},
    "ops.stochastic_depth": {name: OPS[name] for name in ("StochasticDepth", "stochastic_depth")},
    "models.resnet": {
        **{kind.__name__: kind for kind in (BasicBlock, Bottleneck, ResNet)},
        **{name: made for name, made in MODELS.items() if name.startswith("resnet")},
    },
    **{f"datasets.{name}": {kind.__name__: kind for kind in kinds} for name, kinds in FILES.items()},
}  # fmt: skip
MODULES: dict[str, dict[str, Any]] = {
    "torchvision": {
        **{name: Module.of(f"torchvision.{name}", contents) for name, contents in _PARTS.items() if "." not in name},
        "__version__": "0.28.0",
    },
    **{f"torchvision.{name}": contents for name, contents in _PARTS.items()},
}
