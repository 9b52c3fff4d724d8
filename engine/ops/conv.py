"""Convolution in one to three dimensions, and its transpose."""

from __future__ import annotations

from typing import Any

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.conv import convolution_backward_kernel, transposed_size
from engine.types.shapes import Ints


@rule
def convolution_double_backward(
    grads: Any,
    grad_output: Any,
    input: Any,
    weight: Any,
    options: tuple[Any, ...],
    wanted: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    """What the gradients of a convolution pass on: they are bilinear in its gradient, its weight and its input."""
    to_input, to_weight, to_bias = grads
    total: list[Any] = [None, None, None]

    def add(index: int, value: Any) -> None:
        total[index] = value if total[index] is None else total[index] + value

    if wanted[0]:
        if to_input is not None:
            add(0, ops.convolution(to_input, weight, None, *options))
        if to_weight is not None:
            add(0, ops.convolution(input, to_weight, None, *options))
        if to_bias is not None:
            ones = (1,) * (grad_output.ndim - 2)
            add(0, ops.expand(to_bias.reshape(1, to_bias.shape[0], *ones), tuple(grad_output.shape)))
    if wanted[1] and to_weight is not None:
        add(1, _through_weight(grad_output, to_weight, tuple(input.shape), options))
    if wanted[2] and to_input is not None:
        add(2, _through_input(grad_output, to_input, weight, options))
    return total[0], total[1], total[2]


def _through_weight(grad_output: Any, to_weight: Any, shape: Ints, options: tuple[Any, ...]) -> Any:
    """The transpose of a convolution is a convolution: gradient times weight, back at the input."""
    stride, padding, dilation, transposed, _, groups = options
    extra = (0,) * len(stride)
    if not transposed:
        size = transposed_size(grad_output.shape[2:], to_weight.shape[2:], stride, padding, dilation, extra)
        extra = tuple(s - t for s, t in zip(shape[2:], size, strict=True))
    result = ops.convolution(
        grad_output, to_weight, None, stride, padding, dilation, not transposed, extra, groups
    )
    return _narrowed(result, shape)


def _through_input(grad_output: Any, to_input: Any, weight: Any, options: tuple[Any, ...]) -> Any:
    """Input times gradient, back at the weight: a convolution in which the batch is summed."""
    stride, padding, dilation, transposed, _, groups = options
    if groups != 1 and not isinstance(weight, Tensor):
        return ops.convolution_backward(grad_output, to_input, weight, (), *options, (False, True, False))[1]
    image, window = ops.transpose(to_input, 0, 1), ops.transpose(grad_output, 0, 1)
    if transposed:
        image, window = window, image
    none = (0,) * len(stride)
    products = []
    for group in range(groups):
        own, over = (
            v if groups == 1 else ops.slice(v, 0, group * v.shape[0] // groups, (group + 1) * v.shape[0] // groups)
            for v in (image, window)
        )
        products.append(ops.convolution(own, over, None, dilation, padding, stride, False, none, 1))
    whole = products[0] if groups == 1 else ops.cat(products, 1)
    return _narrowed(ops.transpose(whole, 0, 1), weight.shape)


def _narrowed(x: Any, shape: Ints) -> Any:
    """The first of what is larger than `shape`."""
    for dim, size in enumerate(shape):
        if x.shape[dim] > size:
            x = ops.slice(x, dim, 0, size, 1)
    return x


_DEFAULTS = "stride=(1,), padding=(0,), dilation=(1,), transposed=False, output_padding=(0,), groups=1"
_OPTIONS = "stride, padding, dilation, transposed, output_padding, groups"

convolution = op(
    f"convolution(input, weight, bias=None, {_DEFAULTS})", "ConvolutionBackward0",
    f"convolution_kernel(input, weight, bias, {_OPTIONS})", inplace=False,
    together=("input weight bias", f"convolution_backward(g, input, weight, bias.shape, {_OPTIONS}, wanted)"),
    tex=(r"\operatorname{conv}^{\mathsf T}(g, w)", r"\operatorname{conv}(x, g)", r"\textstyle\sum g"),
    says="each input pixel collects the gradients of the windows that saw it, weighted by the kernel; each kernel "
    "weight collects gradient times pixel over all windows", vmap=rules.convolution, backward_cost=4,
    memory_format="channels_last input weight", autocast="lower_precision_fp", opmath="bfloat16",
)
op(
    f"convolution_backward(grad_output, input, weight, bias_sizes, {_OPTIONS}, output_mask)",
    "ConvolutionBackwardBackward0", convolution_backward_kernel, outputs="grad_input? grad_weight? grad_bias?",
    inplace=False,
    together=(
        "grad_output input weight",
        f"convolution_double_backward(g, grad_output, input, weight, ({_OPTIONS}), wanted)",
    ),
    says="the gradient of a convolution is itself convolutions, so its gradient is too", opmath="bfloat16",
)
