"""What `import sklearn` finds."""

from __future__ import annotations

from typing import Any

from engine.program.stdlib.sklearn.base import NOT_FITTED
from engine.program.stdlib.sklearn.cluster import CLUSTERS
from engine.program.stdlib.sklearn.coordinate import COORDINATE
from engine.program.stdlib.sklearn.datasets import DATASETS, Bunch
from engine.program.stdlib.sklearn.decomposition import DECOMPOSITION
from engine.program.stdlib.sklearn.displays import ConfusionMatrixDisplay
from engine.program.stdlib.sklearn.impute import IMPUTE
from engine.program.stdlib.sklearn.linear_model import LINEAR_MODEL
from engine.program.stdlib.sklearn.logistic import CONVERGENCE, LOGISTIC
from engine.program.stdlib.sklearn.metrics import CLUSTER, METRICS, UNDEFINED
from engine.program.stdlib.sklearn.model_selection import MODEL_SELECTION, shuffle
from engine.program.stdlib.sklearn.neighbors import NEIGHBORS
from engine.program.stdlib.sklearn.pipeline import PIPELINE, clone
from engine.program.stdlib.sklearn.preprocessing import PREPROCESSING
from engine.program.stdlib.sklearn.scores import SCORES
from engine.program.stdlib.sklearn.validation import VALIDATION
from engine.program.values import Builtin, Module

_PARTS: dict[str, dict[str, Any]] = {
    "base": {"clone": Builtin("clone", clone)}, "cluster": CLUSTERS, "datasets": DATASETS,
    "decomposition": DECOMPOSITION, "impute": IMPUTE,
    "linear_model": {**LINEAR_MODEL, **LOGISTIC, **COORDINATE},
    "metrics": {**METRICS, **SCORES, "ConfusionMatrixDisplay": ConfusionMatrixDisplay},
    "model_selection": {**MODEL_SELECTION, **VALIDATION}, "neighbors": NEIGHBORS, "pipeline": PIPELINE,
    "preprocessing": PREPROCESSING, "utils": {"Bunch": Bunch, "shuffle": Builtin("shuffle", shuffle)},
    "exceptions": {
        "NotFittedError": NOT_FITTED, "UndefinedMetricWarning": UNDEFINED, "ConvergenceWarning": CONVERGENCE,
    },
}  # fmt: skip
MODULES: dict[str, dict[str, Any]] = {
    "sklearn": {
        **{name: Module.of(f"sklearn.{name}", contents) for name, contents in _PARTS.items()}, "__version__": "1.9.1",
    },
    **{f"sklearn.{name}": contents for name, contents in _PARTS.items()},
    "sklearn.metrics.cluster": CLUSTER,
}
