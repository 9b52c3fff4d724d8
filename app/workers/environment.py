"""The environment of the process that workers are forked from: a program may read all of it, so it is made anew."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"),
    "1",
)
SAME_HASHES = {"PYTHONHASHSEED": "0"}  # sets of strings print in the same order in every process
KEPT = (
    "LD_LIBRARY_PATH",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
    "NPY_DISABLE_CPU_FEATURES",
    "NPY_ENABLE_CPU_FEATURES",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
    "TZ",
)
"""Variables that decide which code runs, and how it computes. No other reaches a program: it might be a secret."""


def environment(service: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a fork server gets of the environment of its service."""
    kept = {name: service[name] for name in KEPT if name in service}
    return {**kept, **ONE_THREAD, **SAME_HASHES, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
