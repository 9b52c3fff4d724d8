"""Resizing of images in one to three dimensions."""

from __future__ import annotations

from engine.batching import rules
from engine.codegen.op import op

_NEIGHBOURS = "each input pixel collects the gradients of the output pixels that copied it"
_WEIGHTED = "each input pixel collects the gradients of the output pixels it is part of, with its weight in them"


def _declare(
    name: str, node: str, rank: int, method: str, says: str, backward_cost: int = 0, formats: tuple[str, str] = ("", "")
) -> None:
    """Declare a resizing and its gradient; `formats` are the memory formats of both."""
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
        vmap=rules.sampled(rank + 1), backward_cost=backward_cost, memory_format=formats[0], opmath="bfloat16",
    )
    op(
        f"{name}_backward(grad_output, output_size, input_size, {corners}{given})", f"{node}BackwardBackward0",
        f"resize_backward_kernel(grad_output, '{method}', input_size, {option}, {tuple_})", inplace=False,
        grad_output=f"{name}(g, output_size, {rest})", formula_format=formats[1], opmath="bfloat16",
    )


_LAST = "channels_last"
for _rank, _formats in ((1, ("", "")), (2, (_LAST, _LAST)), (3, ("", ""))):
    _declare(
        f"upsample_nearest{_rank}d", f"UpsampleNearest{_rank}D", _rank, "nearest", _NEIGHBOURS,
        int(_rank == 2), _formats,
    )
    _declare(
        f"_upsample_nearest_exact{_rank}d", f"UpsampleNearestExact{_rank}D", _rank, "nearest-exact", _NEIGHBOURS,
        formats=_formats,
    )
_declare("upsample_linear1d", "UpsampleLinear1D", 1, "linear", _WEIGHTED, 1)
_declare("upsample_bilinear2d", "UpsampleBilinear2D", 2, "linear", _WEIGHTED, 2, (_LAST, _LAST))
_declare("upsample_trilinear3d", "UpsampleTrilinear3D", 3, "linear", _WEIGHTED)
_declare("upsample_bicubic2d", "UpsampleBicubic2D", 2, "cubic", _WEIGHTED, 4, (_LAST, ""))
for _kind, _method in (("bilinear", "linear-aa"), ("bicubic", "cubic-aa"), ("lanczos", "lanczos-aa")):
    _declare(f"_upsample_{_kind}2d_aa", f"Upsample{_kind.capitalize()}2DAa", 2, _method, _WEIGHTED)
