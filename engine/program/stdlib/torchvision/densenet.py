"""torchvision's DenseNet: each layer is given what all before it found."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import engine.torch
from engine.program.stdlib.torchvision.ops import Layer

torch: Any = engine.torch
nn: Any = torch.nn


class _Part(Layer):
    __module__ = "torchvision.models.densenet"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()


class _DenseLayer(_Part):
    """A narrow convolution of all that is there, then a wide one."""

    __module__ = "torchvision.models.densenet"
    __program__ = True

    def __init__(self, inputs: int, growth: int, narrow: int, drop_rate: float) -> None:
        super().__init__()
        self.norm1 = nn.BatchNorm2d(inputs)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(inputs, narrow, kernel_size=1, stride=1, bias=False)
        self.norm2 = nn.BatchNorm2d(narrow)
        self.relu2 = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(narrow, growth, kernel_size=3, stride=1, padding=1, bias=False)
        self.drop_rate = float(drop_rate)

    def forward(self, input: Any) -> Any:  # noqa: A002
        found = [input] if isinstance(input, torch.Tensor) else input
        x = self.conv1(self.relu1(self.norm1(torch.cat(found, 1))))
        x = self.conv2(self.relu2(self.norm2(x)))
        return nn.functional.dropout(x, p=self.drop_rate, training=self.training) if self.drop_rate > 0 else x


class _DenseBlock(nn.ModuleDict):  # type: ignore[misc]
    """Layers one after the other, each of which adds to what there is."""

    __module__ = "torchvision.models.densenet"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def __init__(self, count: int, inputs: int, growth: int, narrow: int, drop_rate: float) -> None:
        super().__init__()
        for index in range(count):
            layer = _DenseLayer(inputs + index * growth, growth, narrow, drop_rate)
            self.add_module(f"denselayer{index + 1}", layer)

    def forward(self, init_features: Any) -> Any:
        found = [init_features]
        for layer in self.values():
            found.append(layer(found))
        return torch.cat(found, 1)


class _Transition(nn.Sequential):  # type: ignore[misc]
    """Half of the channels and half of the sides."""

    __module__ = "torchvision.models.densenet"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm2d(inputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv = nn.Conv2d(inputs, outputs, kernel_size=1, stride=1, bias=False)
        self.pool = nn.AvgPool2d(kernel_size=2, stride=2)


class DenseNet(_Part):
    """`torchvision.models.DenseNet`."""

    __module__ = "torchvision.models.densenet"
    __program__ = True

    def __init__(
        self, growth_rate: int = 32, block_config: Any = (6, 12, 24, 16), num_init_features: int = 64, bn_size: int = 4,
        drop_rate: float = 0.0, num_classes: int = 1000, memory_efficient: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        channels = num_init_features
        first = nn.Conv2d(3, channels, kernel_size=7, stride=2, padding=3, bias=False)
        features: Any = nn.Sequential(
            OrderedDict(
                conv0=first, norm0=nn.BatchNorm2d(channels), relu0=nn.ReLU(inplace=True),
                pool0=nn.MaxPool2d(kernel_size=3, stride=2, padding=1),
            )
        )  # fmt: skip
        counts = list(block_config)
        for index, count in enumerate(counts):
            block = _DenseBlock(count, channels, growth_rate, bn_size * growth_rate, drop_rate)
            features.add_module(f"denseblock{index + 1}", block)
            channels += count * growth_rate
            if index != len(counts) - 1:
                features.add_module(f"transition{index + 1}", _Transition(channels, channels // 2))
                channels //= 2
        features.add_module("norm5", nn.BatchNorm2d(channels))
        self.features = features
        self.classifier = nn.Linear(channels, num_classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight)
            elif isinstance(module, nn.Linear):
                nn.init.constant_(module.bias, 0)

    def forward(self, x: Any) -> Any:
        x = nn.functional.relu(self.features(x), inplace=True)
        return self.classifier(torch.flatten(nn.functional.adaptive_avg_pool2d(x, (1, 1)), 1))
