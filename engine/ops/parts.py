"""Views of parts of a tensor: an index, a slice, a diagonal, windows; and where their gradients go."""

from __future__ import annotations

from engine.batching import rules
from engine.codegen.latex import WHERE_READ
from engine.codegen.op import op
from engine.kernels.parts import (
   diagonal_backward_kernel,
   diagonal_kernel,
   select_backward_kernel,
   slice_backward_kernel,
   slice_kernel,
   unfold_backward_kernel,
   unfold_kernel,
)

op("select(self, dim, index)", "SelectBackward0", "select_kernel(self, dim, index)", view=True,
   self="select_backward(g, self.shape, dim, index)",
   tex=WHERE_READ, says="the gradient goes to the place that was picked; every other place gets 0",
   vmap=rules.along("dim"))
op("select_backward(grad_output, sizes, dim, index)", "SelectBackwardBackward0", select_backward_kernel,
   inplace=False, grad_output="select(g, dim, index)")
op("slice(self, dim=0, start=None, end=None, step=1)", "SliceBackward0", slice_kernel, view=True,
   self="slice_backward(g, self.shape, dim, start, end, step)",
   tex=WHERE_READ, says="the gradient goes to the part that was taken; the rest gets 0", vmap=rules.along("dim"))
op("slice_backward(grad_output, sizes, dim, start, end, step)", "SliceBackwardBackward0", slice_backward_kernel,
   inplace=False, grad_output="slice(g, dim, start, end, step)")
op("diagonal(self, offset=0, dim1=0, dim2=1)", "DiagonalBackward0", diagonal_kernel, view=True,
   self="diagonal_backward(g, self.shape, offset, dim1, dim2)",
   tex=WHERE_READ, says="the gradient goes to the diagonal; the rest gets 0", vmap=rules.along("dim1", "dim2"))
op("diagonal_copy(self, offset=0, dim1=0, dim2=1)", "DiagonalBackward0_copy",
   "diagonal_kernel(self, offset, dim1, dim2).copy()", inplace=False,
   self="diagonal_backward(g, self.shape, offset, dim1, dim2)",
   says="the gradient goes to the diagonal; the rest gets 0", vmap=rules.along("dim1", "dim2"))
op("diagonal_backward(grad_output, sizes, offset, dim1, dim2)", "DiagonalBackwardBackward0", diagonal_backward_kernel,
   inplace=False, grad_output="diagonal(g, offset, dim1, dim2)")
op("unfold(self, dimension, size, step)", "UnfoldBackward0", unfold_kernel, view=True,
   self="unfold_backward(g, self.shape, dimension, size, step)",
   says="each value collects the gradients of all windows it is part of", vmap=rules.along("dimension"))
op("unfold_backward(grad_output, sizes, dimension, size, step)", "UnfoldBackwardBackward0", unfold_backward_kernel,
   inplace=False, grad_output="unfold(g, dimension, size, step)", opmath="bfloat16")
