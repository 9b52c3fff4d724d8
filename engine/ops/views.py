"""Views of whole tensors: the same elements under another shape."""

from __future__ import annotations

from typing import Any

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import GRAPH, NUMPY, ops
from engine.kernels.views import unsqueeze_kernel
from engine.types.shapes import wrap_dims

op("alias(self)", "AliasBackward0", "self[...]", view=True, self="g",
   says="the same tensor under another name: the gradient passes unchanged", vmap=rules.same)
op("view(self, size)", "ViewBackward0", "view_kernel(self, size)", view=True, self="reshape(g, self.shape)",
   says="the same numbers in another shape: the gradient takes the old shape again", vmap=rules.view)
op("view.dtype(self: Tensor, dtype)", None, "view_dtype_kernel(self, dtype)", view=True,
   says="the same bytes read as another type: the graph ends here")
op("_fw_primal(self)", "torch::autograd::Identity", "self[...]", view=True, self="g",
   says="the value of a dual number, without its tangent; the gradient passes on unchanged")
op("_reshape_alias(self, size)", "ReshapeAliasBackward0", "view_kernel(self, size)", view=True,
   self="reshape(g, self.shape)", says="the same numbers in another shape: the gradient takes the old shape again",
   vmap=rules.view)
op("_unsafe_view(self, size)", "UnsafeViewBackward0", "unsafe_view_kernel(self, size)", inplace=False,
   self="reshape(g, self.shape)", says="the same numbers in another shape: the gradient takes the old shape again",
   vmap=rules.view)
op("expand(self, size)", "ExpandBackward0", "expand_kernel(self, size)", view=True, self="sum_to_size(g, self.shape)",
   says="one value was used in many places, so its gradient is the sum over those places", vmap=rules.expand)
op("permute(self, dims)", "PermuteBackward0", "permute_kernel(self, dims)", view=True,
   self="permute(g, inverse(dims))", tex=r"g \text{, reordered back}",
   says="dimensions were reordered; the gradient is put back in the old order", vmap=rules.permute, sparse=True)
op("transpose(self, dim0, dim1)", "TransposeBackward0", "transpose_kernel(self, dim0, dim1)", view=True,
   self="transpose(g, dim0, dim1)", says="two dimensions were swapped; the gradient is swapped back",
   vmap=rules.transpose, vmap_inplace=rules.transpose_, sparse=True)
op("t(self)", "TBackward0", "t_kernel(self)", view=True, self="t(g)",
   says="rows and columns were swapped; the gradient is swapped back", vmap=rules.t, vmap_inplace=rules.transpose_,
   sparse=True)
op("unsqueeze(self, dim)", "UnsqueezeBackward0", "unsqueeze_kernel(self, dim)", view=True, self="squeeze_dim(g, dim)",
   tex=r"g \text{ without that dimension}", says="a dimension of size 1 was added; the gradient loses it again",
   vmap=rules.unsqueeze, vmap_inplace=rules.unsqueeze_)
op("squeeze(self)", "SqueezeBackward0", "squeeze_kernel(self)", view=True, self="unsqueeze_to(g, None, self.shape)",
   tex=r"g \text{ with those dimensions}", says="dimensions of size 1 were dropped; the gradient gets them back",
   vmap=rules.squeeze, vmap_inplace=rules.squeeze_)
op("squeeze.dim(self, dim)", "SqueezeBackward1", "squeeze_kernel(self, (dim,))", view=True,
   self="unsqueeze_to(g, (dim,), self.shape)", tex=r"g \text{ with that dimension}",
   says="a dimension of size 1 was dropped; the gradient gets it back", vmap=rules.squeeze_dim,
   vmap_inplace=rules.squeeze_)
op("squeeze.dims(self, dim)", "SqueezeBackward2", "squeeze_kernel(self, dim)", view=True,
   self="unsqueeze_to(g, dim, self.shape)", tex=r"g \text{ with those dimensions}",
   says="dimensions of size 1 were dropped; the gradient gets them back", vmap=rules.along("dim"),
   vmap_inplace=rules.squeeze_)


@rule
def inverse(dims: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation that undoes `dims`."""
    order = [d % len(dims) for d in dims]
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def _unsqueeze_to(unsqueeze: Any) -> Any:
    def unsqueeze_to(g: Any, dim: tuple[int, ...] | None, shape: tuple[int, ...]) -> Any:
        dropped = range(len(shape)) if dim is None else wrap_dims(dim, len(shape))
        for i, extent in enumerate(shape):
            if extent == 1 and i in dropped:
                g = unsqueeze(g, i)
        return g

    return unsqueeze_to


NUMPY["unsqueeze_to"] = _unsqueeze_to(unsqueeze_kernel)
GRAPH["unsqueeze_to"] = _unsqueeze_to(ops.unsqueeze)
