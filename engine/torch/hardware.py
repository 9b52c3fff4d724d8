"""Parts of `torch` about the machine: what PyTorch's CPU build says on a computer without accelerators."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from engine import errors, settings
from engine.autograd.function import stored
from engine.codegen.autocast import Region
from engine.composites import attention
from engine.composites.creation import check_device
from engine.composites.legacy import CUDA_TYPES
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.nn.attention import SDPBackend, sdpa_kernel
from engine.torch.grad_scaler import CpuScaler, CudaScaler, GradScaler
from engine.types import dtypes

__all__ = [
    "AcceleratorError", "GradScaler", "OutOfMemoryError", "accelerator", "amp", "are_deterministic_algorithms_enabled",
    "autocast", "backends", "cpu", "cuda", "get_autocast_dtype", "get_default_device", "get_deterministic_debug_mode",
    "get_float32_matmul_precision", "get_num_interop_threads", "get_num_threads", "is_autocast_enabled", "mps",
    "set_default_device", "set_deterministic_debug_mode", "set_float32_matmul_precision", "set_flush_denormal",
    "set_num_interop_threads", "set_num_threads", "use_deterministic_algorithms", "xpu",
]  # fmt: skip


class Namespace(ModuleType):
    """A module whose names are given."""

    def __init__(self, name: str, **names: Any) -> None:
        super().__init__(name)
        self.__dict__.update(names)
        self.__all__ = list(names)


def _each(names: str, does: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Functions that do the same, each under its own name."""
    return {name: _renamed(name, does) for name in names.split()}


def _renamed(name: str, does: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(does)
    def renamed(*args: Any, **kwargs: Any) -> Any:
        return does(*args, **kwargs)

    renamed.__name__ = renamed.__qualname__ = name
    return renamed


def _always(value: Any) -> Callable[..., Any]:
    def given(*_: Any, **__: Any) -> Any:
        return value

    return given


def _none_of(*_: Any, **__: Any) -> list[Any]:
    return []


_no, _yes, _zero, _one, _cpu, _nothing = map(_always, (False, True, 0, 1, "cpu", None))


def _refusing(error: Callable[..., Exception], *about: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise error(*about)

    return refuse


_no_cuda, _no_xpu = _refusing(errors.no_cuda), _refusing(errors.no_device, "xpu")
_no_accelerator, _no_nvtx = _refusing(errors.no_accelerator), _refusing(errors.no_nvtx)


class autocast:
    """`with torch.autocast("cpu"):` multiplies matrices in bfloat16; of `"cuda"` it does nothing, and warns so."""

    __module__ = "torch.amp.autocast_mode"

    def __init__(
        self, device_type: str, dtype: Any = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        if not isinstance(device_type, str):
            raise errors.device_type_string(device_type)
        device = dtypes.device(device_type).type
        if device == "cuda" and enabled:
            errors.warn_autocast_without_cuda()
        self.device = device_type
        self._dtype = dtype or get_autocast_dtype(device)
        if device == "cpu" and enabled and self._dtype not in (dtypes.bfloat16, dtypes.float16):
            errors.warn_autocast_dtype()
            enabled = False
        self._enabled = enabled and device == "cpu"
        self._cache = True if cache_enabled is None else cache_enabled
        self._outer: list[Any] = []

    def __enter__(self) -> autocast:
        outer = state.autocast
        self._outer.append(outer)
        if self._enabled:
            casts: Any = None
            if self._cache:
                casts = {} if outer is None or outer.casts is None else outer.casts
            state.autocast = Region(self._dtype, casts)
        elif self.device == "cpu":
            state.autocast = None
        return self

    def __exit__(self, *exception: object) -> None:
        state.autocast = self._outer.pop()

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return decorated


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether a region is in force, which there is on the CPU only."""
    return dtypes.device(device_type).type == "cpu" and state.autocast is not None


def get_autocast_dtype(device_type: str) -> dtypes.dtype:
    """What a region of this device computes in, unless it says otherwise."""
    if dtypes.device(device_type).type != "cpu":
        return dtypes.float16
    return dtypes.bfloat16 if state.autocast is None else state.autocast.dtype


def _cuda_autocast(enabled: bool = True, dtype: Any = None, cache_enabled: bool = True) -> autocast:
    errors.warn_old_amp("autocast")
    return autocast("cuda", dtype, enabled, cache_enabled)


def _cpu_autocast(enabled: bool = True, dtype: Any = dtypes.bfloat16, cache_enabled: bool = True) -> autocast:
    errors.warn_old_amp("autocast", "cpu")
    return autocast("cpu", dtype, enabled, cache_enabled)


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: Any = None) -> Any:
    """Decorates `forward` of a custom Function: with `cast_inputs`, it runs outside of the region in force."""
    if not isinstance(device_type, str):
        raise errors.device_type_string(device_type)
    if fwd is None:
        return lambda function: custom_fwd(function, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorate_fwd(*args: Any, **kwargs: Any) -> Any:
        inside = is_autocast_enabled(device_type)
        kept = stored(args[0])
        kept["_dtype"] = get_autocast_dtype(device_type)
        kept["_fwd_used_autocast"] = inside and cast_inputs is None
        if cast_inputs is None or not inside:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_cast(args, cast_inputs), **_cast(kwargs, cast_inputs))

    return decorate_fwd


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Decorates `backward` of a custom Function: it runs in the region that `forward` ran in."""
    if not isinstance(device_type, str):
        raise errors.device_type_string(device_type)
    if bwd is None:
        return lambda function: custom_bwd(function, device_type=device_type)

    @functools.wraps(bwd)
    def decorate_bwd(*args: Any, **kwargs: Any) -> Any:
        kept = stored(args[0])
        if "_fwd_used_autocast" not in kept:
            raise errors.object_attribute(type(args[0]).__name__, "_fwd_used_autocast")
        with autocast(device_type, kept["_dtype"], kept["_fwd_used_autocast"]):
            return bwd(*args, **kwargs)

    return decorate_bwd


def _cast(value: Any, dtype: Any) -> Any:
    """A value with the tensors in it cast, but for those of float64."""
    if isinstance(value, Tensor):
        kind = value._array.dtype
        return value.to(dtype) if kind.kind in dtypes.FLOATING and kind.char != "d" else value
    if isinstance(value, dict):
        return {key: _cast(item, dtype) for key, item in value.items()}
    return type(value)([_cast(item, dtype) for item in value]) if isinstance(value, list | tuple) else value


def _old_custom(name: str, current: Any) -> Any:
    def decorate(function: Any = None, **options: Any) -> Any:
        errors.warn_old_amp(name)
        return current(function, device_type="cuda", **options)

    return decorate


def is_autocast_available(device_type: str) -> bool:
    """Whether `autocast` knows such devices; not whether there is one."""
    return dtypes.device(device_type).type in _AUTOCAST


_AUTOCAST = frozenset({"cpu", "cuda", "xpu", "mps"})
_modes: dict[str, Any] = {
    "autocast": autocast, "custom_bwd": custom_bwd, "custom_fwd": custom_fwd,
    "is_autocast_available": is_autocast_available,
}  # fmt: skip
amp = Namespace(
    "torch.amp",
    GradScaler=GradScaler,
    autocast_mode=Namespace("torch.amp.autocast_mode", **_modes),
    grad_scaler=Namespace("torch.amp.grad_scaler", GradScaler=GradScaler),
    **_modes,
)

cpu = Namespace(
    "torch.cpu",
    amp=Namespace("torch.cpu.amp", autocast=_cpu_autocast, GradScaler=CpuScaler),
    **_each("is_available", _yes),
    **_each("device_count", _one),
    **_each("synchronize", _nothing),
    **_each("current_device", _cpu),
)  # fmt: skip


def _memory_renamed(name: str) -> Callable[..., int]:
    def memory(device: Any = None) -> int:
        errors.warn_memory_cached(name)
        return 0

    return memory


def _without_mps(name: str) -> Callable[..., Any]:
    def refuse() -> Any:
        raise errors.no_mps(name)

    return refuse


def _without_statistics(call: str) -> Callable[..., Any]:
    def refuse(device: Any = None) -> Any:
        raise errors.module_attribute("torch._C", call)

    return refuse


class CudaDevice:
    """`with torch.cuda.device(0):`, which is refused; one below zero means none, and changes nothing."""

    __module__ = "torch.cuda"

    def __init__(self, device: Any) -> None:
        if isinstance(device, str):
            device = dtypes.device(device)
        if isinstance(device, dtypes.device):
            if device.type != "cuda":
                raise errors.cuda_device_expected(device)
            device = device.index
        self.idx = device
        self.prev_idx = -1

    def __enter__(self) -> None:
        if not isinstance(self.idx, int) or self.idx >= 0:
            raise errors.no_cuda_device()

    def __exit__(self, *exception: object) -> None:
        """Nothing was changed."""


CudaDevice.__name__ = CudaDevice.__qualname__ = "device"
CudaDevice.__init__.__qualname__ = "device.__init__"


class Stream:
    """Refused: there is no device to have queues."""

    __module__ = "torch.cuda.streams"

    def __init__(self, device: Any = None, priority: int = 0, **kwargs: Any) -> None:
        raise errors.no_cuda_stream()


class Event:
    """Refused: nothing happens on a device."""

    __module__ = "torch.cuda.streams"

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, external: bool = False
    ) -> None:
        raise errors.no_cuda_class("Event")


class CUDAGraph:
    """Refused: there is no device to replay its work."""

    __module__ = "torch.cuda.graphs"

    def __init__(self, keep_graph: bool = False) -> None:
        raise errors.no_cuda_class("CUDAGraph")


class StreamContext:
    """`with torch.cuda.stream(None):`, which changes nothing."""

    __module__ = "torch.cuda"

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        """Nothing is changed."""

    def __exit__(self, *exception: object) -> None:
        """Nothing was changed."""


class OutOfMemoryError(RuntimeError):
    """Exception raised when device is out of memory"""

    __module__ = "torch"


class AcceleratorError(RuntimeError):
    """Exception raised while executing on device"""

    __module__ = "torch"


def _memory_stats(device: Any = None) -> OrderedDict[str, Any]:
    return OrderedDict()


def _memory_summary(device: Any = None, abbreviated: bool = False) -> Any:
    return _memory_stats(device)["allocated_bytes.all.current"]


_cuda_memory: dict[str, Any] = {
    **_each("memory_allocated max_memory_allocated memory_reserved max_memory_reserved", _zero),
    **_each("empty_cache", _nothing),
    **_each("mem_get_info set_per_process_memory_fraction", _no_cuda),
    **_each("reset_peak_memory_stats", _without_statistics("_cuda_resetPeakMemoryStats")),
    **_each(
        "reset_accumulated_memory_stats",
        _without_statistics("_cuda_resetAccumulatedMemoryStats"),
    ),
    "max_memory_cached": _renamed("max_memory_cached", _memory_renamed("max_memory")),
    "memory_cached": _renamed("memory_cached", _memory_renamed("memory")),
    "memory_stats": _renamed("memory_stats", _memory_stats),
    "memory_summary": _renamed("memory_summary", _memory_summary),
}
_cuda_random: dict[str, Any] = {
    **_each("manual_seed manual_seed_all seed seed_all set_rng_state_all", _nothing),
    **_each("get_rng_state initial_seed", _no_cuda),
    **_each("get_rng_state_all", _none_of),
}
cuda = Namespace(
    "torch.cuda",
    amp=Namespace(
        "torch.cuda.amp", autocast=_cuda_autocast, GradScaler=CudaScaler,
        custom_bwd=_old_custom("custom_bwd", custom_bwd), custom_fwd=_old_custom("custom_fwd", custom_fwd),
    ),
    memory=Namespace("torch.cuda.memory", **_cuda_memory),
    nvtx=Namespace("torch.cuda.nvtx", **_each("mark range_end range_pop range_push range_start", _no_nvtx)),
    random=Namespace("torch.cuda.random", **_cuda_random),
    **_cuda_memory,
    **_cuda_random,
    **_each("is_available is_initialized is_bf16_supported is_tf32_supported", _no),
    **_each("device_count", _zero),
    **_each("get_arch_list", _none_of),
    **_each(
        "init current_device synchronize set_device get_device_name get_device_properties get_device_capability"
        " current_stream default_stream ipc_collect can_device_access_peer cudart",
        _no_cuda,
    ),
    AcceleratorError=AcceleratorError,
    CUDAGraph=CUDAGraph,
    Event=Event,
    OutOfMemoryError=OutOfMemoryError,
    Stream=Stream,
    StreamContext=StreamContext,
    default_generators=(),
    device=CudaDevice,
    has_half=True,
    has_magma=False,
    stream=_renamed("stream", StreamContext),
    **CUDA_TYPES,
)  # fmt: skip
mps = Namespace(
    "torch.mps",
    **_each("is_available", _no),
    **_each("device_count", _zero),
    **_each("manual_seed", _nothing),
    empty_cache=_renamed("empty_cache", _without_mps("emptyCache")),
    synchronize=_renamed("synchronize", _without_mps("deviceSynchronize")),
)
xpu = Namespace(
    "torch.xpu",
    **_each("is_available is_initialized", _no),
    **_each("device_count", _zero),
    **_each("manual_seed manual_seed_all empty_cache", _nothing),
    **_each("synchronize current_device get_device_name get_device_properties", _no_xpu),
)
accelerator = Namespace(
    "torch.accelerator",
    **_each("is_available", _no),
    **_each("device_count", _zero),
    **_each("current_accelerator", _nothing),
    **_each("synchronize current_device_index", _no_accelerator),
)
_ATTENTION = {
    "flash": "FLASH_ATTENTION", "mem_efficient": "EFFICIENT_ATTENTION", "math": "MATH", "cudnn": "CUDNN_ATTENTION",
}  # fmt: skip
"""Kernels of attention as switches call them, and as `SDPBackend` does."""


def _switch(kernel: str) -> Callable[[bool], None]:
    def enable(enabled: bool) -> None:
        known = attention.allowed()
        attention.allow(known | {kernel} if enabled else known - {kernel})

    return enable


def _switched(kernel: str) -> Callable[[], bool]:
    return lambda: kernel in attention.allowed()


def _sdp_kernel(
    enable_flash: bool = True, enable_math: bool = True, enable_mem_efficient: bool = True, enable_cudnn: bool = True
) -> sdpa_kernel:
    errors.warn_sdp_kernel()
    wanted = dict(flash=enable_flash, mem_efficient=enable_mem_efficient, math=enable_math, cudnn=enable_cudnn)
    return sdpa_kernel([getattr(SDPBackend, _ATTENTION[name]) for name, wants in wanted.items() if wants])


_cuda_switches: dict[str, Any] = {
    **{f"enable_{name}_sdp": _switch(kernel) for name, kernel in _ATTENTION.items()},
    **{f"{name}_sdp_enabled": _switched(kernel) for name, kernel in _ATTENTION.items()},
    "is_flash_attention_available": _no,
    "sdp_kernel": _sdp_kernel,
}


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
    fp32_precision: str = "none",
) -> Iterator[None]:
    """Settings of a library that is not here, in force for a block."""
    settings = vars(backends.cudnn)
    given = dict(enabled=enabled, benchmark=benchmark, deterministic=deterministic, allow_tf32=allow_tf32)
    before = {name: settings[name] for name in given}
    settings.update(given)
    try:
        yield
    finally:
        settings.update(before)


backends = Namespace(
    "torch.backends",
    cudnn=Namespace(
        "torch.backends.cudnn",
        deterministic=False, benchmark=False, enabled=True, allow_tf32=True, is_available=_no, version=_nothing,
        flags=flags, **_each("is_acceptable", _no),
    ),
    cuda=Namespace(
        "torch.backends.cuda",
        is_built=_no,
        matmul=Namespace(
            "torch.backends.cuda.matmul",
            allow_tf32=False, allow_fp16_reduced_precision_reduction=True, allow_bf16_reduced_precision_reduction=True,
        ),
        **_cuda_switches,
    ),
    cpu=Namespace("torch.backends.cpu", get_cpu_capability=lambda: "AVX2"),
    mps=Namespace("torch.backends.mps", is_available=_no, is_built=_no),
    mkl=Namespace("torch.backends.mkl", is_available=_yes),
    mkldnn=Namespace("torch.backends.mkldnn", enabled=True, is_available=_yes),
    openmp=Namespace("torch.backends.openmp", is_available=_yes),
    opt_einsum=Namespace("torch.backends.opt_einsum", enabled=False, strategy=None, is_available=_no),
    quantized=Namespace(
        "torch.backends.quantized", engine="x86", supported_engines=["qnnpack", "onednn", "x86", "fbgemm"]
    ),
)  # fmt: skip

_BUILT: dict[str, Callable[[], bool]] = {
    "backends.cuda.is_built": backends.cuda.is_built, "backends.cudnn.is_available": backends.cudnn.is_available,
    "backends.mkldnn.is_available": backends.mkldnn.is_available, "backends.mps.is_built": backends.mps.is_built,
}  # fmt: skip


def was_built(name: str) -> bool | None:
    """What `torch.has_cuda` and its kin say, with what is asked today; None for any other name."""
    for now, built in _BUILT.items():
        if name == f"has_{now.split('.')[1]}":
            errors.warn_built(name, now)
            return built()
    return None


_settings: dict[str, Any] = settings.contents({"precision": "highest", "deterministic": 0})


def set_float32_matmul_precision(precision: str) -> None:
    """Remembered: products of float32 matrices are always exact here."""
    _settings["precision"] = precision


def get_float32_matmul_precision() -> str:
    """What was set, `highest` at first."""
    return str(_settings["precision"])


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Remembered: everything is deterministic."""
    _settings["deterministic"] = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """What was set, False at first."""
    return bool(_settings["deterministic"])


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same as a number, or by its name."""
    mode = _DEBUG_MODES.index(debug_mode) if debug_mode in _DEBUG_MODES else debug_mode
    if mode not in range(len(_DEBUG_MODES)):
        if not isinstance(debug_mode, str | int):
            raise errors.deterministic_debug_mode_type(debug_mode)
        named = f"one of {', '.join(f'`{name}`' for name in _DEBUG_MODES)}"
        raise errors.deterministic_debug_mode(named if isinstance(debug_mode, str) else "0, 1, or 2", debug_mode)
    _settings["deterministic"] = mode


def get_deterministic_debug_mode() -> int:
    """0: off, 1: warns, 2: refuses."""
    return int(_settings["deterministic"])


_DEBUG_MODES = ("default", "warn", "error")


def get_default_device() -> dtypes.device:
    """Always the CPU."""
    return dtypes.device("cpu")


def set_default_device(device: Any) -> None:
    """Only the CPU is there. AssertionError for CUDA devices."""
    if device is not None:
        check_device(device)


def set_num_threads(threads: int) -> None:
    """Accepted: the engine runs on one thread."""


def set_num_interop_threads(threads: int) -> None:
    """Accepted."""


def get_num_threads() -> int:
    """Always 1."""
    return 1


def get_num_interop_threads() -> int:
    """Always 1."""
    return 1


def set_flush_denormal(mode: bool) -> bool:
    """Accepted: tiny numbers stay what they are."""
    return True
