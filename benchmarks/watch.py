"""What `backlight.watch` costs a training: its iterations that are not recorded beside those of the same one unwatched,
in turns of two seconds, each with one answer to a page; and what a recorded iteration costs.

Needs PyTorch and the client: `make bench-watch`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import backlight
import torch
from torch import nn

EVERY, TURNS, SECONDS = 100, 8, 2.0

_ASKS = "import sys, urllib.request\nfor line in sys.stdin: urllib.request.urlopen(line.strip()).read()"
"""A page of another process: each line is an address that it asks."""


def _block(width: int) -> nn.Module:
    return nn.TransformerEncoderLayer(width, 4, 4 * width, 0.0, batch_first=True, norm_first=True)


def _mlp() -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
    return model, torch.randn(32, 64), torch.randint(0, 10, (32,))


def _cnn() -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    layers: list[nn.Module] = []
    for inside, outside in ((3, 16), (16, 32), (32, 64)):
        layers += [nn.Conv2d(inside, outside, 3, 2, 1), nn.BatchNorm2d(outside), nn.ReLU()]
    model = nn.Sequential(*layers, nn.Flatten(), nn.Linear(1024, 10))
    return model, torch.randn(32, 3, 32, 32), torch.randint(0, 10, (32,))


def _transformer() -> tuple[nn.Module, torch.Tensor, torch.Tensor]:
    model = nn.Sequential(nn.Embedding(100, 64), *[_block(64) for _ in range(4)], nn.Flatten(), nn.Linear(2048, 10))
    return model, torch.randint(0, 100, (8, 32)), torch.randint(0, 10, (8,))


@dataclass
class Training:
    """One of the two. `plain`: CPU seconds of iterations that are not recorded, by turn; `recorded`: of the others."""

    make: Callable[[], tuple[nn.Module, torch.Tensor, torch.Tensor]]
    plain: list[float] = field(default_factory=list)
    recorded: list[float] = field(default_factory=list)
    done: int = 0

    def __post_init__(self) -> None:
        torch.manual_seed(0)
        self.model, self.x, self.y = self.make()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 1e-4)

    def iterate(self) -> None:
        """One iteration."""
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(self.x), self.y)
        loss.backward()
        self.optimizer.step()
        self.done += 1

    def turn(self, watched: bool) -> None:
        """Iterations of two seconds. One that begins to be recorded does so at the end of the one before."""
        begun = time.monotonic()
        each: list[float] = []
        while time.monotonic() < begun + SECONDS or not each:
            whole = watched and self.done % EVERY in (0, EVERY - 1)
            before = time.process_time()
            self.iterate()
            (self.recorded if whole else each).append(time.process_time() - before)
        self.plain.append(sum(each) / len(each))


def measure(make: Any) -> tuple[float, float, float]:
    """CPU seconds of an iteration: unwatched, watched and not recorded, and what recording one adds."""
    alone, watched = Training(make), Training(make)
    with (
        subprocess.Popen([sys.executable, "-c", _ASKS], stdin=subprocess.PIPE, text=True) as page,
        backlight.watch(watched.model, watched.optimizer, every=EVERY) as told,
    ):
        assert page.stdin is not None
        for each in (alone, watched):
            each.iterate()
            each.iterate()
        for _ in range(TURNS):
            alone.turn(False)
            page.stdin.write(f"{told.url}told\n")
            page.stdin.flush()
            watched.turn(True)
        page.stdin.close()
    plain = statistics.median(alone.plain)
    pairs = list(zip(watched.recorded[1::2], watched.recorded[2::2], strict=False))
    added = statistics.median([a + b - 2 * plain for a, b in pairs]) if pairs else float("nan")
    return plain, statistics.median(w / p for w, p in zip(watched.plain, alone.plain, strict=True)), added


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'':16}{'alone':>10}{'watched ÷ alone':>18}{'a recording adds':>19}{f'in all, every={EVERY}':>20}")
    for make in (_mlp, _cnn, _transformer):
        plain, ratio, added = measure(make)
        whole = 1 + added / (EVERY * plain)
        name = make.__name__.strip("_")
        print(f"{name:16}{1000 * plain:7.2f} ms{ratio:18.3f}{1000 * added:16.0f} ms{whole:20.2f}", flush=True)


if __name__ == "__main__":
    main()
