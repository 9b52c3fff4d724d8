"""`torch.amp.GradScaler`: losses are multiplied so that small gradients do not vanish, and gradients divided again."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

from engine import errors
from engine.core.grad_mode import no_grad
from engine.core.tensor import Tensor, constant
from engine.types import dtypes


class OptState(Enum):
    """What was done with an optimizer since the last update."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _fresh() -> dict[str, Any]:
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Scales losses, and skips steps with infinite gradients; for "cuda", which is not there, it is disabled."""

    __module__ = "torch.amp.grad_scaler"
    _scale: Tensor | None
    _growth_tracker: Tensor | None

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device = device
        self._enabled = enabled
        if device == "cuda" and enabled:
            errors.warn_grad_scaler()
            self._enabled = False
        if self._enabled:
            if growth_factor <= 1.0:
                raise errors.scaler_growth()
            if backoff_factor >= 1.0:
                raise errors.scaler_backoff()
            self._init_scale = init_scale
            self._scale = None
            self._growth_factor = growth_factor
            self._backoff_factor = backoff_factor
            self._growth_interval = growth_interval
            self._init_growth_tracker = 0
            self._growth_tracker = None
            self._per_optimizer_states: defaultdict[int, dict[str, Any]] = defaultdict(_fresh)

    def scale(self, outputs: Any) -> Any:
        """The outputs, a tensor or several of them, times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._scale = constant(np.float32(self._init_scale))
                self._growth_tracker = constant(np.int32(self._init_growth_tracker))
            return outputs * self._scale
        if not isinstance(outputs, Iterable):
            raise errors.scaler_outputs()
        scaled = map(self.scale, outputs)
        return type(outputs)(scaled) if isinstance(outputs, list | tuple) else scaled

    def _begun(self, what: str) -> tuple[Tensor, Tensor]:
        """Scale and tracker. AssertionError before anything was scaled."""
        if self._scale is None or self._growth_tracker is None:
            raise errors.scaler_unused(what, "_scale" if self._scale is None else "_growth_tracker")
        return self._scale, self._growth_tracker

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, in place, once before a step."""
        if not self._enabled:
            return
        scale, _ = self._begun("unscale_")
        kept = self._per_optimizer_states[id(optimizer)]
        if kept["stage"] is OptState.UNSCALED:
            raise errors.scaler_unscaled_twice()
        if kept["stage"] is OptState.STEPPED:
            raise errors.scaler_unscaled_late()
        inverse = constant(np.float32(1.0 / np.float64(scale.item())))
        kept["found_inf_per_device"] = self._unscale(optimizer, inverse, half=False)
        kept["stage"] = OptState.UNSCALED

    def _unscale(self, optimizer: Any, factor: Tensor, half: bool) -> dict[Any, Tensor]:
        """Multiply all gradients; by device, whether one of them was infinite or NaN."""
        grads = []
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                if not isinstance(parameter, Tensor):
                    raise errors.scaler_parameter(parameter)
                grad = parameter.grad
                if grad is None:
                    continue
                if grad.dtype is dtypes.float16 and not half:
                    raise errors.scaler_half()
                grads.append(grad)
        found = False
        with no_grad():
            for grad in grads:
                found = found or not np.isfinite(grad._array).all()
                grad.mul_(factor)
        return {dtypes.device("cpu"): constant(np.float32(found))} if grads else {}

    def _check_inf_per_device(self, optimizer: Any) -> dict[Any, Tensor]:
        self._begun("_check_inf_per_device")
        found = self._unscale(optimizer, constant(np.float32(1)), half=True)
        self._per_optimizer_states[id(optimizer)]["found_inf_per_device"] = found
        return found

    def _found_inf_per_device(self, optimizer: Any) -> dict[Any, Tensor]:
        found: dict[Any, Tensor] = self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]
        return found

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step()` with gradients that are no longer scaled, unless one of them is infinite or NaN."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise errors.scaler_closure()
        self._begun("step")
        kept = self._per_optimizer_states[id(optimizer)]
        if kept["stage"] is OptState.STEPPED:
            raise errors.scaler_stepped_twice()
        if kept["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not kept["found_inf_per_device"]:
            raise errors.scaler_no_checks("for this optimizer")
        result = self._maybe_opt_step(optimizer, kept, *args, **kwargs)
        kept["stage"] = OptState.STEPPED
        return result

    def _maybe_opt_step(self, optimizer: Any, optimizer_state: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        if any(found.item() for found in optimizer_state["found_inf_per_device"].values()):
            return None
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale: Any = None) -> None:
        """Lower the scale after infinite gradients, raise it after `growth_interval` steps without, or set it."""
        if not self._enabled:
            return
        scale, tracker = self._begun("update")
        if isinstance(new_scale, float):
            scale.fill_(new_scale)
        elif new_scale is not None:
            if new_scale.device.type != self._device or new_scale.numel() != 1 or new_scale.requires_grad is True:
                raise errors.scaler_new_scale()
            scale.copy_(new_scale)
        else:
            states = self._per_optimizer_states.values()
            found = [each.item() for kept in states for each in kept["found_inf_per_device"].values()]
            if not found:
                raise errors.scaler_no_checks("prior to update")
            self._adjust(scale, tracker, any(found))
        self._per_optimizer_states = defaultdict(_fresh)

    def _adjust(self, scale: Tensor, tracker: Tensor, found: bool) -> None:
        steps = 0 if found else tracker.item() + 1
        if found:
            scale.fill_(scale.item() * self._backoff_factor)
        elif steps == self._growth_interval:
            grown = np.float32(scale.item() * self._growth_factor)
            if math.isfinite(grown):
                scale.fill_(float(grown))
            steps = 0
        tracker.fill_(steps)

    # What it keeps

    def is_enabled(self) -> bool:
        """Whether it scales at all."""
        return self._enabled

    def _get_scale_async(self) -> Tensor | None:
        return self._scale

    def get_scale(self) -> float:
        """The present scale; 1 when disabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale.item())

    def get_growth_factor(self) -> float:
        """By what the scale is multiplied to raise it."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set it."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """By what the scale is multiplied to lower it."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set it."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many steps the scale is raised."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set it."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else int(self._growth_tracker.item())

    def state_dict(self) -> dict[str, Any]:
        """Scale, factors and tracker; nothing when disabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from what `state_dict` gave. RuntimeError for that of a disabled one."""
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise errors.scaler_empty_state()
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._growth_tracker is not None:
            self._growth_tracker.fill_(state_dict["_growth_tracker"])


class CudaScaler(GradScaler):
    """The former name for GPUs."""

    __module__ = "torch.cuda.amp.grad_scaler"

    def __init__(self, *args: Any, **options: Any) -> None:
        errors.warn_old_amp("GradScaler")
        super().__init__("cuda", *args, **options)


class CpuScaler(GradScaler):
    """The former name for the CPU."""

    __module__ = "torch.cpu.amp.grad_scaler"

    def __init__(self, *args: Any, **options: Any) -> None:
        errors.warn_old_amp("GradScaler", "cpu")
        super().__init__("cpu", *args, **options)


CudaScaler.__name__ = CudaScaler.__qualname__ = CpuScaler.__name__ = CpuScaler.__qualname__ = "GradScaler"
