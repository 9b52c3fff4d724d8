# What PyTorch says on a computer without accelerators, of its memory, its random numbers and what it was built with.
import torch

print(torch.has_cuda, torch.has_cudnn, torch.has_mkldnn, torch.has_mps, torch.has_mkl, torch.has_openmp, torch.has_lapack)
print(torch.cuda.memory_stats(), torch.cuda.get_rng_state_all(), torch.cuda.default_generators)
print(torch.cuda.set_rng_state_all([]), torch.cuda.seed_all(), torch.cuda.random.manual_seed_all(3))
print(torch.cuda.memory.memory_allocated(), torch.cuda.memory.empty_cache(), torch.cuda.has_half, torch.cuda.has_magma)
print(torch.cuda.OutOfMemoryError is torch.OutOfMemoryError, torch.OutOfMemoryError.__mro__)
print(torch.backends.quantized.engine, torch.backends.opt_einsum.is_available(), torch.version.debug, torch.version.git_version)

try:
    raise torch.cuda.OutOfMemoryError("CUDA out of memory")
except RuntimeError as error:
    print(repr(error))

with torch.cuda.stream(None):
    x = torch.ones(2, requires_grad=True)

try:
    (x / 0).sum().backward()
except torch.cuda.OutOfMemoryError:
    print("too large")
print(x.grad)

for mode in ("warn", 2, "default", "loud", 5, 1.5):
    try:
        torch.set_deterministic_debug_mode(mode)
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)
    print(torch.get_deterministic_debug_mode(), torch.are_deterministic_algorithms_enabled())

for refused in (
    torch.cuda.memory_summary,
    torch.cuda.reset_peak_memory_stats,
    torch.cuda.cudart,
    torch.cuda.CUDAGraph,
    torch.cuda.Event,
    torch.cuda.random.get_rng_state,
    torch.cuda.nvtx.range_pop,
):
    try:
        refused()
    except Exception as error:
        print(type(error).__name__, error)

torch.testing.assert_allclose([1.0, 2.0], [1.0, 2.00001])
torch.testing.assert_allclose(torch.ones(2), torch.ones(2, dtype=torch.float64))
torch.testing.assert_allclose(torch.ones(2), torch.zeros(2))
