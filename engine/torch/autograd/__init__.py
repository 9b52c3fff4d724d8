"""`torch.autograd`."""

import engine.autograd.node_call  # noqa: F401 - lets nodes be called
from engine.autograd.api import Variable, backward, grad
from engine.autograd.function import Function
from engine.core.grad_mode import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)
from engine.core.saved_tensors import SavedTensor
from engine.torch.autograd import forward_ad, function, functional, grad_mode, graph, variable
from engine.torch.autograd.gradcheck import gradcheck, gradgradcheck

__all__ = [
    "Function", "SavedTensor", "Variable", "backward", "detect_anomaly", "enable_grad", "forward_ad", "function",
    "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck", "graph", "inference_mode", "no_grad",
    "set_detect_anomaly", "set_grad_enabled", "variable",
]  # fmt: skip
