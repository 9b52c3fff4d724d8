"""`torchvision.ops`: boxes and how far they overlap, losses of boxes, and blocks of layers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import engine.torch
from engine.core.grad_mode import no_grad
from engine.limits import meter
from engine.nn import functional as F
from engine.nn.container import Sequential
from engine.nn.module import Module
from engine.program.calls import call
from engine.program.operators import items
from engine.program.text import to_text
from engine.program.values import Builtin

torch: Any = engine.torch
nn: Any = torch.nn

# --- boxes

_FORMATS = ("xyxy", "xywh", "cxcywh")


def _wide(x: Any) -> Any:
    """Numbers in a dtype in which products of them fit."""
    if x.is_floating_point():
        return x if x.dtype in (torch.float32, torch.float64) else x.float()
    return x if x.dtype in (torch.int32, torch.int64) else x.int()


def _corners(boxes: Any, fmt: str) -> tuple[Any, Any]:
    """The upper left and the lower right of boxes."""
    first, second = boxes[..., :2], boxes[..., 2:]
    if fmt == "xyxy":
        return first, second
    return (first, first + second) if fmt == "xywh" else (first - second / 2, first + second / 2)


def _both(boxes1: Any, boxes2: Any, fmt: str = "xyxy") -> tuple[Any, Any, Any, Any]:
    """The corners of two sets of boxes, each with each."""
    (top1, low1), (top2, low2) = _corners(boxes1, fmt), _corners(boxes2, fmt)
    return top1[..., :, None, :], low1[..., :, None, :], top2[..., None, :, :], low2[..., None, :, :]


def box_convert(boxes: Any, in_fmt: Any, out_fmt: Any) -> Any:
    """The same boxes as corners, as a corner and sides, or as a middle and sides."""
    if in_fmt not in _FORMATS or out_fmt not in _FORMATS:
        raise ValueError(
            f"Unsupported Bounding Box Conversions for given in_fmt {to_text(in_fmt)} and out_fmt {to_text(out_fmt)}"
        )
    if in_fmt == out_fmt:
        return boxes.clone()
    a, b, c, d = boxes.unbind(-1)
    if in_fmt == "xywh":
        c, d = a + c, b + d
    elif in_fmt == "cxcywh":
        a, b, c, d = a - 0.5 * c, b - 0.5 * d, a + 0.5 * c, b + 0.5 * d
    if out_fmt == "xywh":
        c, d = c - a, d - b
    elif out_fmt == "cxcywh":
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    return torch.stack((a, b, c, d), dim=-1)


def box_area(boxes: Any, fmt: str = "xyxy") -> Any:
    if fmt not in _FORMATS:
        raise ValueError(f"Unsupported Bounding Box area for given format {to_text(fmt)}")
    boxes = _wide(boxes)
    if fmt == "xyxy":
        return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return boxes[..., 2] * boxes[..., 3]


def _shared(boxes1: Any, boxes2: Any, fmt: str = "xyxy") -> tuple[Any, Any]:
    """The area that each box shares with each, and the area of both together."""
    area1, area2 = box_area(boxes1, fmt), box_area(boxes2, fmt)
    top1, low1, top2, low2 = _both(boxes1, boxes2, fmt)
    sides = _wide(torch.min(low1, low2) - torch.max(top1, top2)).clamp(min=0)
    inside = sides[..., 0] * sides[..., 1]
    return inside, area1[..., None] + area2[..., None, :] - inside


def _around(boxes1: Any, boxes2: Any) -> Any:
    """The sides of the smallest box around both."""
    top1, low1, top2, low2 = _both(boxes1, boxes2)
    return _wide(torch.max(low1, low2) - torch.min(top1, top2)).clamp(min=0)


def box_iou(boxes1: Any, boxes2: Any, fmt: str = "xyxy") -> Any:
    """The part of their common area that boxes share, each with each."""
    if fmt not in _FORMATS:
        raise ValueError(
            f"Unsupported format '{to_text(fmt)}'. Supported axis-aligned formats: {_FORMATS}."
            " Supported rotated formats: ('cxcywhr', 'xywhr', 'xyxyxyxy')."
        )
    inside, union = _shared(boxes1, boxes2, fmt)
    return inside / union


def generalized_box_iou(boxes1: Any, boxes2: Any) -> Any:
    inside, union = _shared(boxes1, boxes2)
    sides = _around(boxes1, boxes2)
    area = sides[..., 0] * sides[..., 1]
    return inside / union - (area - union) / area


def distance_box_iou(boxes1: Any, boxes2: Any, eps: float = 1e-7) -> Any:
    boxes1, boxes2 = _wide(boxes1), _wide(boxes2)
    sides = _around(boxes1, boxes2)
    diagonal = sides[..., 0] ** 2 + sides[..., 1] ** 2 + eps
    middle1, middle2 = ((boxes[..., :2] + boxes[..., 2:]) / 2 for boxes in (boxes1, boxes2))
    gap = (middle1[..., :, None, :] - middle2[..., None, :, :]) ** 2
    return box_iou(boxes1, boxes2) - (gap[..., 0] + gap[..., 1]) / diagonal


def complete_box_iou(boxes1: Any, boxes2: Any, eps: float = 1e-7) -> Any:
    boxes1, boxes2 = _wide(boxes1), _wide(boxes2)
    top1, low1, top2, low2 = _both(boxes1, boxes2)
    sides1, sides2 = low1 - top1, low2 - top2
    shapes = torch.atan(sides1[..., 0] / sides1[..., 1]) - torch.atan(sides2[..., 0] / sides2[..., 1])
    unlike = 4 / math.pi**2 * shapes.pow(2)
    with no_grad():
        weight = unlike / (1 - box_iou(boxes1, boxes2) + unlike + eps)
    return distance_box_iou(boxes1, boxes2, eps) - weight * unlike


def clip_boxes_to_image(boxes: Any, size: Any) -> Any:
    """The boxes cut at the edges of an image of (height, width)."""
    height, width = size
    clipped = boxes[..., 0::2].clamp(min=0, max=width), boxes[..., 1::2].clamp(min=0, max=height)
    return torch.stack(clipped, dim=boxes.dim()).reshape(boxes.shape)


def remove_small_boxes(boxes: Any, min_size: float) -> Any:
    """Which boxes have both sides as long as that."""
    keep = (boxes[..., 2] - boxes[..., 0] >= min_size) & (boxes[..., 3] - boxes[..., 1] >= min_size)
    return torch.where(keep)[0]


def masks_to_boxes(masks: Any) -> Any:
    """The box around each mask of n × height × width."""
    if masks.numel() == 0:
        return torch.zeros((0, 4))
    _, height, width = masks.shape
    rows, columns = masks.bool().any(dim=2), masks.bool().any(dim=1)
    edges = []
    for lines, length in ((columns, width), (rows, height)):
        edges += [lines.float().argmax(1), length - 1 - lines.float().flip([1]).argmax(1)]
    boxes = torch.stack([edges[0], edges[2], edges[1], edges[3]], dim=1).float()
    boxes[~rows.any(1)] = 0
    return boxes


def nms(boxes: Any, scores: Any, iou_threshold: float) -> Any:
    """Which boxes are left, best first, when each drops those that it overlaps with by more than a threshold."""
    most = float(iou_threshold)
    if boxes.dim() != 2:
        raise RuntimeError(f"boxes should be a 2d tensor, got {boxes.dim()}D")
    if boxes.size(1) != 4:
        raise RuntimeError(f"boxes should have 4 elements in dimension 1, got {boxes.size(1)}")
    if scores.dim() != 1:
        raise RuntimeError(f"scores should be a 1d tensor, got {scores.dim()}D")
    if boxes.size(0) != scores.size(0):
        raise RuntimeError(
            "boxes and scores should have same number of elements in dimension 0, got"
            f" {boxes.size(0)} and {scores.size(0)}"
        )
    order = scores.detach().sort(stable=True, descending=True).indices.numpy()
    corners = boxes.detach().numpy()
    areas = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    dropped, keep = np.zeros(len(order), bool), []
    for place, index in enumerate(order):
        if dropped[index]:
            continue
        keep.append(int(index))
        rest = order[place + 1 :]
        meter.charge(1 + (len(rest) >> 5))
        low = np.minimum(corners[index, 2:], corners[rest, 2:])
        sides = np.maximum(low - np.maximum(corners[index, :2], corners[rest, :2]), 0)
        inside = sides[:, 0] * sides[:, 1]
        dropped[rest] |= inside > most * (areas[index] + areas[rest] - inside)
    return torch.tensor(keep, dtype=torch.int64)


def batched_nms(boxes: Any, scores: Any, idxs: Any, iou_threshold: float) -> Any:
    """The same for each class of boxes: those of different classes are moved apart."""
    if boxes.numel() == 0:
        return torch.empty((0,), dtype=torch.int64)
    offsets = idxs.to(boxes.dtype) * (boxes.max() + 1)
    return nms(boxes + offsets[:, None], scores, iou_threshold)


# --- losses


def _reduced(loss: Any, reduction: Any, empty: bool = False) -> Any:
    if reduction == "none":
        return loss
    if reduction == "mean":
        return 0.0 * loss.sum() if empty and loss.numel() == 0 else loss.mean()
    if reduction == "sum":
        return loss.sum()
    raise ValueError(
        f"Invalid Value for arg 'reduction': '{to_text(reduction)} \n"
        " Supported reduction modes: 'none', 'mean', 'sum'"
    )


def sigmoid_focal_loss(
    inputs: Any, targets: Any, alpha: float = 0.25, gamma: float = 2, reduction: str = "none"
) -> Any:
    """Binary cross entropy in which what is known well counts little."""
    if not 0 <= alpha <= 1 and alpha != -1:
        raise ValueError(f"Invalid alpha value: {alpha}. alpha must be in the range [0,1] or -1 for ignore.")
    p = torch.sigmoid(inputs)
    entropy = F.binary_cross_entropy_with_logits(inputs, targets, reduction="none")
    right = p * targets + (1 - p) * (1 - targets)
    loss = entropy * (1 - right) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    return _reduced(loss, reduction)


def _float(boxes: Any) -> Any:
    return boxes if boxes.dtype in (torch.float32, torch.float64) else boxes.float()


def _pairwise(boxes1: Any, boxes2: Any) -> tuple[Any, Any]:
    """What each box shares with the one beside it, and their union."""
    x1, y1, x2, y2 = boxes1.unbind(-1)
    u1, v1, u2, v2 = boxes2.unbind(-1)
    left, top, right, low = torch.max(x1, u1), torch.max(y1, v1), torch.min(x2, u2), torch.min(y2, v2)
    inside = torch.zeros_like(x1)
    mask = (low > top) & (right > left)
    inside[mask] = (right[mask] - left[mask]) * (low[mask] - top[mask])
    return inside, (x2 - x1) * (y2 - y1) + (u2 - u1) * (v2 - v1) - inside


def generalized_box_iou_loss(boxes1: Any, boxes2: Any, reduction: str = "none", eps: float = 1e-7) -> Any:
    boxes1, boxes2 = _float(boxes1), _float(boxes2)
    inside, union = _pairwise(boxes1, boxes2)
    overlap = inside / (union + eps)
    x1, y1, x2, y2 = boxes1.unbind(-1)
    u1, v1, u2, v2 = boxes2.unbind(-1)
    left, top, right, low = torch.min(x1, u1), torch.min(y1, v1), torch.max(x2, u2), torch.max(y2, v2)
    area = (right - left) * (low - top)
    return _reduced(1 - (overlap - (area - union) / (area + eps)), reduction, empty=True)


def _distance_loss(boxes1: Any, boxes2: Any, eps: float) -> tuple[Any, Any]:
    inside, union = _pairwise(boxes1, boxes2)
    overlap = inside / (union + eps)
    x1, y1, x2, y2 = boxes1.unbind(-1)
    u1, v1, u2, v2 = boxes2.unbind(-1)
    left, top, right, low = torch.min(x1, u1), torch.min(y1, v1), torch.max(x2, u2), torch.max(y2, v2)
    diagonal = (right - left) ** 2 + (low - top) ** 2 + eps
    x, y, u, v = (x2 + x1) / 2, (y2 + y1) / 2, (u1 + u2) / 2, (v1 + v2) / 2
    gap = (x - u) ** 2 + (y - v) ** 2
    return 1 - overlap + gap / diagonal, overlap


def distance_box_iou_loss(boxes1: Any, boxes2: Any, reduction: str = "none", eps: float = 1e-7) -> Any:
    return _reduced(_distance_loss(_float(boxes1), _float(boxes2), eps)[0], reduction, empty=True)


def complete_box_iou_loss(boxes1: Any, boxes2: Any, reduction: str = "none", eps: float = 1e-7) -> Any:
    boxes1, boxes2 = _float(boxes1), _float(boxes2)
    loss, overlap = _distance_loss(boxes1, boxes2, 1e-7)
    x1, y1, x2, y2 = boxes1.unbind(-1)
    u1, v1, u2, v2 = boxes2.unbind(-1)
    wide, high, wide2, high2 = x2 - x1, y2 - y1, u2 - u1, v2 - v1
    unlike = 4 / math.pi**2 * (torch.atan(wide2 / high2) - torch.atan(wide / high)).pow(2)
    with no_grad():
        weight = unlike / (1 - overlap + unlike + eps)
    return _reduced(loss + weight * unlike, reduction, empty=True)


def stochastic_depth(input: Any, p: float, mode: str, training: Any = True) -> Any:  # noqa: A002
    """Zeros for the batch, or for each row by itself, with probability `p`."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"drop probability has to be between 0 and 1, but got {p}")
    if mode not in ("batch", "row"):
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {to_text(mode)}")
    if not training or p == 0.0:
        return input
    kept = 1.0 - p
    size = [input.shape[0] if mode == "row" else 1] + [1] * (input.ndim - 1)
    noise = torch.empty(size, dtype=input.dtype).bernoulli_(kept)
    return input * (noise.div_(kept) if kept > 0.0 else noise)


# --- layers


class Layer(Module):
    """What the layers share."""

    __module__ = "torchvision.ops.misc"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()


class StochasticDepth(Layer):
    __module__ = "torchvision.ops.stochastic_depth"
    __program__ = True

    def __init__(self, p: float, mode: str) -> None:
        super().__init__()
        self.p, self.mode = p, mode

    def forward(self, input: Any) -> Any:  # noqa: A002
        return stochastic_depth(input, self.p, self.mode, self.training)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p={to_text(self.p)}, mode={to_text(self.mode)})"


class FrozenBatchNorm2d(Layer):
    """A batch norm whose numbers are buffers."""

    __program__ = True

    def __init__(self, num_features: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            self.register_buffer(name, torch.full((num_features,), value))

    def forward(self, x: Any) -> Any:
        weight, bias, mean, var = (
            part.reshape(1, -1, 1, 1) for part in (self.weight, self.bias, self.running_mean, self.running_var)
        )
        scale = weight * (var + self.eps).rsqrt()
        return x * scale + (bias - mean * scale)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.weight.shape[0]}, eps={self.eps})"


class SqueezeExcitation(Layer):
    """Channels weighted by what is in all of the image."""

    __program__ = True

    def __init__(
        self, input_channels: int, squeeze_channels: int, activation: Any = nn.ReLU, scale_activation: Any = nn.Sigmoid
    ) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = call(activation, [], None)
        self.scale_activation = call(scale_activation, [], None)

    def forward(self, input: Any) -> Any:  # noqa: A002
        return self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(input))))) * input


class Permute(Layer):
    """`torch.permute` as a layer."""

    __program__ = True

    def __init__(self, dims: Any) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, x: Any) -> Any:
        return torch.permute(x, self.dims)


class _Block(Sequential):
    """Layers one after the other."""

    __module__ = "torchvision.ops.misc"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()


class MLP(_Block):
    """Linear layers with activations between them, each followed by a dropout."""

    __program__ = True

    def __init__(
        self, in_channels: int, hidden_channels: Any, norm_layer: Any = None, activation_layer: Any = nn.ReLU,
        inplace: Any = None, bias: bool = True, dropout: float = 0.0,
    ) -> None:  # fmt: skip
        options = {} if inplace is None else {"inplace": inplace}
        *inner, last = items(hidden_channels)
        layers: list[Any] = []
        for width in inner:
            meter.charge(50)
            layers.append(nn.Linear(in_channels, width, bias=bias))
            if norm_layer is not None:
                layers.append(call(norm_layer, [width], None))
            layers += [call(activation_layer, [], options), nn.Dropout(dropout, **options)]
            in_channels = width
        super().__init__(*layers, nn.Linear(in_channels, last, bias=bias), nn.Dropout(dropout, **options))


class ConvNormActivation(_Block):
    """A convolution, a norm and an activation."""

    __program__ = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any = 3, stride: Any = 1, padding: Any = None,
        groups: int = 1, norm_layer: Any = nn.BatchNorm2d, activation_layer: Any = nn.ReLU, dilation: Any = 1,
        inplace: Any = True, bias: Any = None, conv_layer: Any = nn.Conv2d,
    ) -> None:  # fmt: skip
        if padding is None:
            kernels, steps = (each if isinstance(each, list | tuple) else None for each in (kernel_size, dilation))
            count = len(kernels or steps or ())
            pairs = zip(kernels or [kernel_size] * count, steps or [dilation] * count, strict=True)
            padding = tuple((size - 1) // 2 * step for size, step in pairs)
            if not count:
                padding = (kernel_size - 1) // 2 * dilation
        layers = [
            conv_layer(
                in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups,
                bias=norm_layer is None if bias is None else bias,
            )
        ]  # fmt: skip
        if norm_layer is not None:
            layers.append(call(norm_layer, [out_channels], None))
        if activation_layer is not None:
            layers.append(call(activation_layer, [], {} if inplace is None else {"inplace": inplace}))
        super().__init__(*layers)
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    """The same for images."""

    __program__ = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any = 3, stride: Any = 1, padding: Any = None,
        groups: int = 1, norm_layer: Any = nn.BatchNorm2d, activation_layer: Any = nn.ReLU, dilation: Any = 1,
        inplace: Any = True, bias: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation,
            inplace, bias, nn.Conv2d,
        )


class Conv3dNormActivation(ConvNormActivation):
    """The same for volumes."""

    __program__ = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any = 3, stride: Any = 1, padding: Any = None,
        groups: int = 1, norm_layer: Any = nn.BatchNorm3d, activation_layer: Any = nn.ReLU, dilation: Any = 1,
        inplace: Any = True, bias: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation,
            inplace, bias, nn.Conv3d,
        )


for _kind in (
    Layer, FrozenBatchNorm2d, SqueezeExcitation, Permute, _Block, MLP, ConvNormActivation, Conv2dNormActivation,
    Conv3dNormActivation,
):
    _kind.__module__ = "torchvision.ops.misc"

LAYERS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        StochasticDepth, FrozenBatchNorm2d, SqueezeExcitation, Permute, MLP, Conv2dNormActivation,
        Conv3dNormActivation,
    )
}  # fmt: skip
OPS: dict[str, Any] = {
    **LAYERS,
    **{
        function.__name__: Builtin(function.__name__, function)
        for function in (
            box_convert, box_area, box_iou, generalized_box_iou, distance_box_iou, complete_box_iou,
            clip_boxes_to_image, remove_small_boxes, masks_to_boxes, nms, batched_nms, sigmoid_focal_loss,
            generalized_box_iou_loss, distance_box_iou_loss, complete_box_iou_loss, stochastic_depth,
        )
    },
}  # fmt: skip
MISC: dict[str, Any] = {
    **{name: kind for name, kind in LAYERS.items() if name != "StochasticDepth"},
    "ConvNormActivation": ConvNormActivation,
}
