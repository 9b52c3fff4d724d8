"""Fractional max pooling: windows whose starts advance by a fraction, moved by chance (Graham, 2014)."""

from __future__ import annotations

from engine.codegen.op import op

for _rank in (2, 3):
    _name = f"fractional_max_pool{_rank}d"
    op(
        f"{_name}(self, kernel_size, output_size, random_samples: Tensor)", f"FractionalMaxPool{_rank}DBackward0",
        "fractional_max_pool_kernel(self, kernel_size, output_size, random_samples)", outputs="result indices!",
        inplace=False, self=f"{_name}_backward(g, self, kernel_size, output_size, indices)",
        says="only the largest value of each window passes the gradient on", opmath="bfloat16",
    )
    op(
        f"{_name}_backward(grad_output, self, kernel_size, output_size, indices: Tensor)",
        f"FractionalMaxPool{_rank}DBackwardBackward0", f"scatter_planes(grad_output, indices, self.shape, {_rank})",
        inplace=False, grad_output=f"gathered_planes(g, indices, {_rank})", self="zeros_like(g)", opmath="bfloat16",
    )
