"""Resizing of images in one to three dimensions."""

from __future__ import annotations

from engine.codegen.op import op

_NEIGHBOURS = "each input pixel collects the gradients of the output pixels that copied it"
_WEIGHTED = "each input pixel collects the gradients of the output pixels it is part of, with its weight in them"


def _declare(name: str, node: str, rank: int, method: str, says: str) -> None:
    scales = ["scales"] if rank == 1 else [f"scales_{letter}" for letter in "dhw"[-rank:]]
    given = ", ".join(f"{scale}=None" for scale in scales)
    interpolating = not method.startswith("nearest")
    corners, option = ("align_corners, ", "align_corners") if interpolating else ("", "False")
    rest = f"{corners}{', '.join(scales)}"
    tuple_ = f"({', '.join(scales)},)"
    op(
        f"{name}(self, output_size, {corners}{given})", f"{node}Backward0",
        f"resize_kernel(self, '{method}', output_size, {option}, {tuple_})", inplace=False,
        self=f"{name}_backward(g, output_size, self.shape, {rest})", says=says,
    )
    op(
        f"{name}_backward(grad_output, output_size, input_size, {corners}{given})", f"{node}BackwardBackward0",
        f"resize_backward_kernel(grad_output, '{method}', input_size, {option}, {tuple_})", inplace=False,
        grad_output=f"{name}(g, output_size, {rest})",
    )


for _rank in (1, 2, 3):
    _declare(f"upsample_nearest{_rank}d", f"UpsampleNearest{_rank}D", _rank, "nearest", _NEIGHBOURS)
    _declare(
        f"_upsample_nearest_exact{_rank}d", f"UpsampleNearestExact{_rank}D", _rank, "nearest-exact", _NEIGHBOURS
    )
for _rank, _kind in ((1, "linear"), (2, "bilinear"), (3, "trilinear")):
    _declare(f"upsample_{_kind}{_rank}d", f"Upsample{_kind.capitalize()}{_rank}D", _rank, "linear", _WEIGHTED)
_declare("upsample_bicubic2d", "UpsampleBicubic2D", 2, "cubic", _WEIGHTED)
for _kind, _method in (("bilinear", "linear-aa"), ("bicubic", "cubic-aa"), ("lanczos", "lanczos-aa")):
    _declare(f"_upsample_{_kind}2d_aa", f"Upsample{_kind.capitalize()}2DAa", 2, _method, _WEIGHTED)
