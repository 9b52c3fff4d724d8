"""`torchvision.models` that fit the limits, with torchvision's names of parameters and its random initialisation.

There are no trained weights: who asks for them is told that they are random.
"""

from __future__ import annotations

from typing import Any

import engine.torch
from engine.nn.container import Sequential
from engine.nn.module import Module
from engine.program import session as sessions
from engine.program.calls import call, weigh_arguments
from engine.program.stdlib.torchvision import weights
from engine.program.stdlib.torchvision.densenet import DenseNet
from engine.program.stdlib.torchvision.narrow import EfficientNet, MobileNetV3, ShuffleNetV2
from engine.program.values import Builtin

torch: Any = engine.torch
nn: Any = torch.nn


class Model(Module):
    """What the models share."""

    __program__ = True
    __invisible__ = True
    __abstract__ = ()


def _conv3x3(inputs: int, outputs: int, stride: int = 1, groups: int = 1) -> Any:
    return nn.Conv2d(inputs, outputs, kernel_size=3, stride=stride, padding=1, groups=groups, bias=False)


def _conv1x1(inputs: int, outputs: int, stride: int = 1) -> Any:
    return nn.Conv2d(inputs, outputs, kernel_size=1, stride=stride, bias=False)


class BasicBlock(Model):
    """Two convolutions, and the way around them."""

    __program__ = True
    expansion = 1

    def __init__(self, inplanes: int, planes: int, stride: int = 1, downsample: Any = None) -> None:
        super().__init__()
        self.conv1 = _conv3x3(inplanes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = _conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class Bottleneck(Model):
    """Three convolutions, narrow in the middle, and the way around them."""

    __program__ = True
    expansion = 4

    def __init__(
        self, inplanes: int, planes: int, stride: int = 1, downsample: Any = None, groups: int = 1, base_width: int = 64
    ) -> None:
        super().__init__()
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = _conv1x1(inplanes, width)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = _conv3x3(width, width, stride, groups)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = _conv1x1(width, 4 * planes)
        self.bn3 = nn.BatchNorm2d(4 * planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(Model):
    """`torchvision.models.ResNet`."""

    __program__ = True

    def __init__(self, block: Any, layers: Any, num_classes: int = 1000, **options: Any) -> None:
        super().__init__()
        self.inplanes = 64
        self.groups, self.base_width = options.get("groups", 1), options.get("width_per_group", 64)
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        for index, (planes, count) in enumerate(zip((64, 128, 256, 512), layers, strict=True)):
            setattr(self, f"layer{index + 1}", self._layer(block, planes, count, 2 if index else 1))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def _layer(self, block: Any, planes: int, count: int, stride: int) -> Any:
        outputs = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != outputs:
            downsample = nn.Sequential(_conv1x1(self.inplanes, outputs, stride), nn.BatchNorm2d(outputs))
        usual = self.groups == 1 and self.base_width == 64
        options = {} if usual else {"groups": self.groups, "base_width": self.base_width}
        blocks = [block(self.inplanes, planes, stride, downsample, **options)]
        self.inplanes = outputs
        return nn.Sequential(*blocks, *[block(outputs, planes, **options) for _ in range(1, count)])

    def forward(self, x: Any) -> Any:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


class Fire(Model):
    """A narrow convolution, then two wide ones side by side."""

    __program__ = True

    def __init__(self, inplanes: int, squeeze_planes: int, expand1x1_planes: int, expand3x3_planes: int) -> None:
        super().__init__()
        self.inplanes = inplanes
        self.squeeze = nn.Conv2d(inplanes, squeeze_planes, kernel_size=1)
        self.squeeze_activation = nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze_planes, expand1x1_planes, kernel_size=1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze_planes, expand3x3_planes, kernel_size=3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)

    def forward(self, x: Any) -> Any:
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat(
            [self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1
        )


class SqueezeNet(Model):
    """`torchvision.models.SqueezeNet`."""

    __program__ = True

    def __init__(self, version: str = "1_0", num_classes: int = 1000, dropout: float = 0.5) -> None:
        super().__init__()
        self.num_classes = num_classes
        fires = [(64, 16, 64, 64), (128, 16, 64, 64), (128, 32, 128, 128), (256, 32, 128, 128), (256, 48, 192, 192)]
        fires += [(384, 48, 192, 192), (384, 64, 256, 256), (512, 64, 256, 256)]
        first = version == "1_0"
        if first:
            fires[0] = (96, 16, 64, 64)
        conv = nn.Conv2d(3, 96, kernel_size=7, stride=2) if first else nn.Conv2d(3, 64, kernel_size=3, stride=2)
        layers: list[Any] = [conv, nn.ReLU(inplace=True)]
        pools = (0, 3, 7) if first else (0, 2, 4)
        for index, sizes in enumerate(fires):
            if index in pools:
                layers.append(nn.MaxPool2d(kernel_size=3, stride=2, ceil_mode=True))
            layers.append(Fire(*sizes))
        self.features = nn.Sequential(*layers)
        last = nn.Conv2d(512, num_classes, kernel_size=1)
        self.classifier = nn.Sequential(
            nn.Dropout(p=dropout), last, nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1))
        )
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                if module is last:
                    nn.init.normal_(module.weight, mean=0.0, std=0.01)
                else:
                    nn.init.kaiming_uniform_(module.weight)
                nn.init.constant_(module.bias, 0)

    def forward(self, x: Any) -> Any:
        return torch.flatten(self.classifier(self.features(x)), 1)


class Conv2dNormActivation(Sequential):
    """A convolution, a normalisation, an activation."""

    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, inputs: int, outputs: int, kernel_size: int = 3, stride: int = 1, groups: int = 1) -> None:
        conv = nn.Conv2d(inputs, outputs, kernel_size, stride, (kernel_size - 1) // 2, groups=groups, bias=False)
        super().__init__(conv, nn.BatchNorm2d(outputs), nn.ReLU6(inplace=True))
        self.out_channels = outputs


class InvertedResidual(Model):
    """Wide in the middle, one channel at a time there, with a way around."""

    __program__ = True

    def __init__(self, inp: int, oup: int, stride: int, expand_ratio: int) -> None:
        super().__init__()
        self.stride, hidden = stride, inp * expand_ratio
        self.use_res_connect = stride == 1 and inp == oup
        layers: list[Any] = [Conv2dNormActivation(inp, hidden, kernel_size=1)] if expand_ratio != 1 else []
        layers.append(Conv2dNormActivation(hidden, hidden, stride=stride, groups=hidden))
        self.conv = nn.Sequential(*layers, nn.Conv2d(hidden, oup, 1, 1, 0, bias=False), nn.BatchNorm2d(oup))
        self.out_channels = oup
        self._is_cn = stride > 1

    def forward(self, x: Any) -> Any:
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(Model):
    """`torchvision.models.MobileNetV2`."""

    __program__ = True

    def __init__(self, num_classes: int = 1000, dropout: float = 0.2, **options: Any) -> None:
        super().__init__()
        features: list[Any] = [Conv2dNormActivation(3, 32, stride=2)]
        inputs = 32
        for ratio, outputs, count, stride in (
            (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
        ):  # fmt: skip
            for i in range(count):
                features.append(InvertedResidual(inputs, outputs, 1 if i else stride, ratio))
                inputs = outputs
        self.last_channel = 1280
        self.features = nn.Sequential(*features, Conv2dNormActivation(inputs, 1280, kernel_size=1))
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), nn.Linear(1280, num_classes))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out")
            elif isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, 0, 0.01)
                nn.init.zeros_(module.bias)

    def forward(self, x: Any) -> Any:
        x = nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(torch.flatten(x, 1))


_HOMES = {
    "resnet": (BasicBlock, Bottleneck, ResNet), "squeezenet": (Fire, SqueezeNet),
    "mobilenetv2": (InvertedResidual, MobileNetV2),
}  # fmt: skip
for _home, _kinds in _HOMES.items():
    for _kind in _kinds:
        _kind.__module__ = f"torchvision.models.{_home}"
Conv2dNormActivation.__module__ = "torchvision.ops.misc"


def _maker(name: str, make: Any) -> Builtin:
    def build(*, weights: Any = None, progress: Any = True, pretrained: Any = False, **options: Any) -> Any:
        if weights is not None or pretrained:
            sessions.active.notice(f"There are no trained weights here: {name}() begins with random ones.")
        weigh_arguments(options.values())
        return make(**options)

    def positional(pretrained: Any = False, *args: Any, **options: Any) -> Any:
        return build(pretrained=pretrained, **options)

    return Builtin(name, positional)


def _too_large(name: str, parameters: int) -> Builtin:
    def refuse(*args: Any, **options: Any) -> Any:
        raise NotImplementedError(
            f"{name} has {parameters:,} parameters, more than a run may hold here: take resnet18, squeezenet1_1,"
            " mobilenet_v2 or efficientnet_b0"
        )

    return Builtin(name, refuse)


_MAKERS: dict[str, Any] = {
    "resnet18": lambda **options: ResNet(BasicBlock, [2, 2, 2, 2], **options),
    "resnet34": lambda **options: ResNet(BasicBlock, [3, 4, 6, 3], **options),
    "resnet50": lambda **options: ResNet(Bottleneck, [3, 4, 6, 3], **options),
    "resnext50_32x4d": lambda **options: ResNet(
        Bottleneck, [3, 4, 6, 3], **{"groups": 32, "width_per_group": 4, **options}
    ),
    "squeezenet1_0": lambda **options: SqueezeNet("1_0", **options),
    "squeezenet1_1": lambda **options: SqueezeNet("1_1", **options),
    "mobilenet_v2": lambda **options: MobileNetV2(**options),
    "mobilenet_v3_small": lambda **options: MobileNetV3(False, **options),
    "mobilenet_v3_large": lambda **options: MobileNetV3(True, **options),
    "efficientnet_b0": lambda **options: EfficientNet(1.0, 1.0, **options),
    "efficientnet_b1": lambda **options: EfficientNet(1.0, 1.1, **options),
    "shufflenet_v2_x0_5": lambda **options: ShuffleNetV2((24, 48, 96, 192, 1024), **options),
    "shufflenet_v2_x1_0": lambda **options: ShuffleNetV2((24, 116, 232, 464, 1024), **options),
    "densenet121": lambda **options: DenseNet(**options),
}
_TOO_LARGE = {
    "alexnet": 61_100_840, "vgg11": 132_863_336, "vgg11_bn": 132_868_840, "vgg13": 133_047_848,
    "vgg13_bn": 133_053_736, "vgg16": 138_357_544, "vgg16_bn": 138_365_992, "vgg19": 143_667_240,
    "vgg19_bn": 143_678_248, "resnet101": 44_549_160, "resnet152": 60_192_808, "wide_resnet50_2": 68_883_240,
    "vit_b_16": 86_567_656, "vit_b_32": 88_224_232, "vit_l_16": 304_326_632,
}  # fmt: skip


def _named(name: str) -> Any:
    found = {**_BUILDERS, **_REFUSED}.get(name.lower())
    if found is None:
        raise ValueError(f"Unknown model {name}")
    return found


def get_model(name: str, **config: Any) -> Any:
    """A model by its name."""
    return call(_named(name), [], config)


_BUILDERS: dict[str, Any] = {name: _maker(name, make) for name, make in _MAKERS.items()}
_REFUSED: dict[str, Any] = {name: _too_large(name, parameters) for name, parameters in _TOO_LARGE.items()}
MODELS: dict[str, Any] = {
    **_BUILDERS,
    **_REFUSED,
    **{
        kind.__name__: kind
        for kind in (ResNet, SqueezeNet, MobileNetV2, MobileNetV3, EfficientNet, ShuffleNetV2, DenseNet)
    },
    "get_model": Builtin("get_model", get_model),
    **weights.MODULES,
}
