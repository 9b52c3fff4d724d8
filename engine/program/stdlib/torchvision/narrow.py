"""Models of narrow convolutions: torchvision's MobileNetV3, EfficientNet and ShuffleNetV2, with its initialisation."""

from __future__ import annotations

import math
from typing import Any

import engine.torch
from engine.program.stdlib.torchvision.ops import Conv2dNormActivation, Layer, SqueezeExcitation, StochasticDepth

torch: Any = engine.torch
nn: Any = torch.nn


class _Model(Layer):
    __program__ = True
    __invisible__ = True
    __abstract__ = ()


def _rounded(channels: float) -> int:
    """Channels in eights, and no tenth fewer than there were."""
    eights = max(8, int(channels + 4) // 8 * 8)
    return eights + 8 if eights < 0.9 * channels else eights


def _norms(model: Any) -> None:
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eps, module.momentum = 0.001, 0.01


def _begin(model: Any, linear: Any) -> None:
    """Convolutions by what comes out of them, linear layers by a rule of their own."""
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Linear):
            linear(module)
            nn.init.zeros_(module.bias)


# --- MobileNetV3

_LARGE = (
    (16, 3, 16, 16, 0, 0, 1), (16, 3, 64, 24, 0, 0, 2), (24, 3, 72, 24, 0, 0, 1), (24, 5, 72, 40, 1, 0, 2),
    (40, 5, 120, 40, 1, 0, 1), (40, 5, 120, 40, 1, 0, 1), (40, 3, 240, 80, 0, 1, 2), (80, 3, 200, 80, 0, 1, 1),
    (80, 3, 184, 80, 0, 1, 1), (80, 3, 184, 80, 0, 1, 1), (80, 3, 480, 112, 1, 1, 1), (112, 3, 672, 112, 1, 1, 1),
    (112, 5, 672, 160, 1, 1, 2), (160, 5, 960, 160, 1, 1, 1), (160, 5, 960, 160, 1, 1, 1),
)  # fmt: skip
_SMALL = (
    (16, 3, 16, 16, 1, 0, 2), (16, 3, 72, 24, 0, 0, 2), (24, 3, 88, 24, 0, 0, 1), (24, 5, 96, 40, 1, 1, 2),
    (40, 5, 240, 40, 1, 1, 1), (40, 5, 240, 40, 1, 1, 1), (40, 5, 120, 48, 1, 1, 1), (48, 5, 144, 48, 1, 1, 1),
    (48, 5, 288, 96, 1, 1, 2), (96, 5, 576, 96, 1, 1, 1), (96, 5, 576, 96, 1, 1, 1),
)  # fmt: skip
"""By block: channels that come in, kernel, channels inside and out, squeezed or not, hard swish or not, stride."""


class _Wide(_Model):
    """A block that is wide inside, with the way around it where nothing changes its shape."""

    __program__ = True

    def __init__(self, inputs: int, kernel: int, inside: int, outputs: int, squeezed: int, hard: int, stride: int):
        super().__init__()
        self.use_res_connect = stride == 1 and inputs == outputs
        act = nn.Hardswish if hard else nn.ReLU
        layers: list[Any] = []
        if inside != inputs:
            layers.append(Conv2dNormActivation(inputs, inside, 1, activation_layer=act))
        layers.append(Conv2dNormActivation(inside, inside, kernel, stride, groups=inside, activation_layer=act))
        if squeezed:
            layers.append(SqueezeExcitation(inside, _rounded(inside // 4), scale_activation=nn.Hardsigmoid))
        self.block = nn.Sequential(*layers, Conv2dNormActivation(inside, outputs, 1, activation_layer=None))
        self.out_channels = outputs
        self._is_cn = stride > 1

    def forward(self, input: Any) -> Any:  # noqa: A002
        result = self.block(input)
        if self.use_res_connect:
            result += input
        return result


class MobileNetV3(_Model):
    """`torchvision.models.MobileNetV3`."""

    __program__ = True

    def __init__(self, large: bool, num_classes: int = 1000, dropout: float = 0.2) -> None:
        super().__init__()
        blocks, last = (_LARGE, 1280) if large else (_SMALL, 1024)
        features = [Conv2dNormActivation(3, 16, 3, 2, activation_layer=nn.Hardswish)]
        outputs = blocks[-1][3]
        self.features = nn.Sequential(
            *features, *[_Wide(*sizes) for sizes in blocks],
            Conv2dNormActivation(outputs, 6 * outputs, 1, activation_layer=nn.Hardswish),
        )  # fmt: skip
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            nn.Linear(6 * outputs, last), nn.Hardswish(inplace=True), nn.Dropout(p=dropout, inplace=True),
            nn.Linear(last, num_classes),
        )  # fmt: skip
        _norms(self)
        _begin(self, lambda linear: nn.init.normal_(linear.weight, 0, 0.01))

    def forward(self, x: Any) -> Any:
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


# --- EfficientNet

_STAGES = (
    (1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3), (6, 5, 1, 80, 112, 3),
    (6, 5, 2, 112, 192, 4), (6, 3, 1, 192, 320, 1),
)  # fmt: skip
"""By stage: how much wider its blocks are inside, kernel, stride, channels in and out, blocks."""


class MBConv(_Model):
    """A block that is wide inside and squeezed, which training leaves out now and then."""

    __program__ = True

    def __init__(self, ratio: int, kernel: int, stride: int, inputs: int, outputs: int, left_out: float) -> None:
        super().__init__()
        self.use_res_connect = stride == 1 and inputs == outputs
        inside = _rounded(inputs * ratio)
        layers: list[Any] = []
        if inside != inputs:
            layers.append(Conv2dNormActivation(inputs, inside, 1, activation_layer=nn.SiLU))
        layers.append(Conv2dNormActivation(inside, inside, kernel, stride, groups=inside, activation_layer=nn.SiLU))
        squeeze = SqueezeExcitation(inside, max(1, inputs // 4), activation=nn.SiLU)
        squeeze.activation.inplace = True
        self.block = nn.Sequential(*layers, squeeze, Conv2dNormActivation(inside, outputs, 1, activation_layer=None))
        self.stochastic_depth = StochasticDepth(left_out, "row")
        self.out_channels = outputs

    def forward(self, input: Any) -> Any:  # noqa: A002
        result = self.block(input)
        if self.use_res_connect:
            result = self.stochastic_depth(result)
            result += input
        return result


class EfficientNet(_Model):
    """`torchvision.models.EfficientNet`."""

    __program__ = True

    def __init__(
        self, width: float, depth: float, num_classes: int = 1000, dropout: float = 0.2,
        stochastic_depth_prob: float = 0.2,
    ) -> None:  # fmt: skip
        super().__init__()
        stages = [
            (ratio, kernel, stride, _rounded(inputs * width), _rounded(outputs * width), math.ceil(count * depth))
            for ratio, kernel, stride, inputs, outputs, count in _STAGES
        ]
        total, made = sum(stage[-1] for stage in stages), 0
        features: list[Any] = [Conv2dNormActivation(3, stages[0][3], 3, 2, activation_layer=nn.SiLU)]
        for ratio, kernel, stride, inputs, outputs, count in stages:
            blocks = []
            for index in range(count):
                first = index == 0
                left_out = stochastic_depth_prob * float(made) / total
                blocks.append(
                    MBConv(ratio, kernel, stride if first else 1, inputs if first else outputs, outputs, left_out)
                )
                made += 1
            features.append(nn.Sequential(*blocks))
        last = 4 * stages[-1][4]
        features.append(Conv2dNormActivation(stages[-1][4], last, 1, activation_layer=nn.SiLU))
        self.features = nn.Sequential(*features)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout, inplace=True), nn.Linear(last, num_classes))
        _begin(self, _by_outputs)

    def forward(self, x: Any) -> Any:
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


def _by_outputs(linear: Any) -> None:
    reach = 1.0 / math.sqrt(linear.out_features)
    nn.init.uniform_(linear.weight, -reach, reach)


# --- ShuffleNetV2


def _shuffled(x: Any, groups: int = 2) -> Any:
    """Channels of each group in turn."""
    count, channels, height, width = x.size()
    apart = x.view(count, groups, channels // groups, height, width)
    return torch.transpose(apart, 1, 2).contiguous().view(count, channels, height, width)


def _depthwise(channels: int, stride: int) -> list[Any]:
    conv = nn.Conv2d(channels, channels, 3, stride, 1, bias=False, groups=channels)
    return [conv, nn.BatchNorm2d(channels)]


def _mixed(inputs: int, outputs: int) -> list[Any]:
    return [nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)]


class _Halves(_Model):
    """Two branches side by side, whose channels are shuffled."""

    __program__ = True

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.stride, half = stride, outputs // 2
        self.branch1 = nn.Sequential(*([*_depthwise(inputs, stride), *_mixed(inputs, half)] if stride > 1 else []))
        self.branch2 = nn.Sequential(
            *_mixed(inputs if stride > 1 else half, half), *_depthwise(half, stride), *_mixed(half, half)
        )

    def forward(self, x: Any) -> Any:
        if self.stride == 1:
            kept, changed = x.chunk(2, dim=1)
            return _shuffled(torch.cat((kept, self.branch2(changed)), dim=1))
        return _shuffled(torch.cat((self.branch1(x), self.branch2(x)), dim=1))


class ShuffleNetV2(_Model):
    """`torchvision.models.ShuffleNetV2`."""

    __program__ = True

    def __init__(self, widths: tuple[int, ...], num_classes: int = 1000) -> None:
        super().__init__()
        self._stage_out_channels = list(widths)
        self.conv1 = nn.Sequential(
            nn.Conv2d(3, widths[0], 3, 2, 1, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU(inplace=True)
        )
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        for index, count in enumerate((4, 8, 4)):
            inputs, outputs = widths[index : index + 2]
            blocks = [_Halves(inputs, outputs, 2), *[_Halves(outputs, outputs, 1) for _ in range(count - 1)]]
            setattr(self, f"stage{index + 2}", nn.Sequential(*blocks))
        self.conv5 = nn.Sequential(*_mixed(*widths[3:]))
        self.fc = nn.Linear(widths[-1], num_classes)

    def forward(self, x: Any) -> Any:
        x = self.maxpool(self.conv1(x))
        x = self.conv5(self.stage4(self.stage3(self.stage2(x))))
        return self.fc(x.mean([2, 3]))


_Wide.__name__ = _Wide.__qualname__ = _Halves.__name__ = _Halves.__qualname__ = "InvertedResidual"
for _home, _kinds in {
    "mobilenetv3": (_Wide, MobileNetV3), "efficientnet": (MBConv, EfficientNet),
    "shufflenetv2": (_Halves, ShuffleNetV2),
}.items():  # fmt: skip
    for _kind in _kinds:
        _kind.__module__ = f"torchvision.models.{_home}"
