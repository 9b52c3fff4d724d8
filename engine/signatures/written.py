# mypy: allow-untyped-defs, allow-untyped-calls
"""Functions and methods of tensors that PyTorch has written in Python, down to what they hand to the parser.

Called with the arguments of a call that failed, they fail as PyTorch's do: Python complains about the binding, a value
that is no tensor about the method it lacks, the parser about the rest. What they would compute does not matter here.
Errors about values are left to the engine.
"""

from types import FunctionType

from engine.core.tensor import Tensor
from engine.signatures.native import Parsed, of

torch = Parsed("torch")
linalg = Parsed("linalg")


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    input.layout, input.device  # noqa: B018 - what is no tensor has none
    dims = [dim] if isinstance(dim, int) else dim
    if p == "fro" and (dims is None or not hasattr(dims, "__len__") or len(dims) <= 2):
        linalg.vector_norm(input, 2, dims, keepdim, dtype=dtype)
    elif isinstance(p, str):
        linalg.matrix_norm(input, p, list(range(input.dim())) if dims is None else dims, keepdim, dtype=dtype)
    else:
        linalg.vector_norm(input, 2.0 if p is None else p, dims, keepdim, dtype=dtype)


def split(tensor, split_size_or_sections, dim=0):
    if isinstance(tensor, Tensor):
        _in_parts(tensor, split_size_or_sections, dim)
    elif isinstance(tensor, str):
        tensor.split(split_size_or_sections, dim)
    else:
        tensor.split  # noqa: B018 - it has none


def _in_parts(tensor, size, dim):
    if isinstance(size, int) or isinstance(size, Tensor) and size._array.size == 1:
        torch.split(tensor, int(size), dim)
    else:
        torch.split_with_sizes(tensor, size, dim)


def meshgrid(*tensors, indexing=None):
    only = len(tensors) == 1 and isinstance(tensors[0], list | tuple)
    torch.meshgrid(list(tensors[0]) if only else list(tensors))


def broadcast_tensors(*tensors):
    torch.broadcast_tensors(list(tensors))


def block_diag(*tensors):
    torch.block_diag(list(tensors))


def cartesian_prod(*tensors):
    torch.cartesian_prod(list(tensors))


def atleast_1d(*tensors):
    torch.atleast_1d(tensors[0] if len(tensors) == 1 else tensors)


def atleast_2d(*tensors):
    torch.atleast_2d(tensors[0] if len(tensors) == 1 else tensors)


def atleast_3d(*tensors):
    torch.atleast_3d(tensors[0] if len(tensors) == 1 else tensors)


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    torch.cdist(x1, x2, p, None)


def tensordot(a, b, dims=2, out=None):
    if isinstance(dims, int):
        a.dim(), b.dim()
        torch.tensordot(a, b, [], [])
    elif isinstance(dims, tuple | list) and len(dims) == 2:
        torch.tensordot(a, b, *dims)


def einsum(*args):
    if len(args) < 2 or isinstance(args[0], Tensor):
        return
    listed = len(args) == 2 and isinstance(args[1], list | tuple)
    torch.einsum(args[0], tuple(args[1]) if listed else args[1:])


def stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
    align_to_window=None,
):
    if center:
        if align_to_window is not None:
            return
        input.dim()
        n_fft // 2
        of(input).view([1])
    torch.stft(input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)


def _return_output(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    _distinct(input, sorted, return_inverse, return_counts, dim)


def _distinct(input, sorted, return_inverse, return_counts, dim):
    if dim is None:
        torch._unique2(input, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts)
    else:
        torch.unique_dim(input, dim, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts)


def _consecutive_return_output(input, return_inverse=False, return_counts=False, dim=None):
    if not isinstance(return_inverse, Tensor) and not isinstance(return_counts, Tensor):
        torch.unique_consecutive(input, return_inverse=return_inverse, return_counts=return_counts, dim=dim)


def chain_matmul(*matrices, out=None):
    if matrices:
        torch.chain_matmul(matrices)


TORCH = {
    name: function
    for name, function in list(globals().items())
    if isinstance(function, FunctionType) and function.__module__ == __name__ and not name.startswith("_")
} | {"unique": _return_output, "unique_consecutive": _consecutive_return_output}
"""By name in `torch`."""


class OfTensor:
    """Methods of `torch.Tensor`."""

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        norm(self, p, dim, keepdim, dtype=dtype)

    def split(self, split_size, dim=0):
        _in_parts(self, split_size, dim)

    def unflatten(self, dim, sizes):
        if sizes:
            Parsed("Tensor").unflatten(dim, sizes)

    def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
        _distinct(self, sorted, return_inverse, return_counts, dim)

    def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
        torch.unique_consecutive(self, return_inverse=return_inverse, return_counts=return_counts, dim=dim)

    def index(self, positions, dims):
        pass

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        pass

    def register_hook(self, hook):
        pass


for _name, _method in list(vars(OfTensor).items()):
    if isinstance(_method, FunctionType):
        _method.__qualname__ = f"Tensor.{_name}"


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    of(tensor).uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    of(tensor).normal_(mean, std, generator=generator)


def constant_(tensor, val):
    of(tensor).fill_(val)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    if not isinstance(tensor, Tensor):
        tensor.is_meta  # noqa: B018 - what is no tensor has none


def xavier_uniform_(tensor, gain=1.0, generator=None):
    if tensor.dim() > 1:
        of(tensor).uniform_(gain, gain, generator=generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    if tensor.dim() > 1:
        of(tensor).normal_(0.0, gain, generator=generator)


_INIT = (uniform_, normal_, constant_, trunc_normal_, xavier_uniform_, xavier_normal_)
_INIT_OF_OLD = {"uniform": uniform_, "normal": normal_, "constant": constant_}
INIT = _INIT_OF_OLD | {function.__name__: function for function in _INIT}
"""By name in `torch.nn.init`."""

METHODS = {name: method for name, method in vars(OfTensor).items() if not name.startswith("_")}
"""By name in `torch.Tensor`."""
