"""What nodes keep for their gradients, beside what hooks for saved tensors see of it."""

from __future__ import annotations

from typing import Any

import backlight
import pytest
import torch
from programs import captured
from torch import nn

from tests.kept import differences, told
from tests.record.kept import record

RESNET = """
import torch
from torch import nn
import torch.nn.functional as F

class Block(nn.Module):
    def __init__(self, inside, outside, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outside)
        self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outside)
        self.shortcut = nn.Sequential()
        if stride != 1 or inside != outside:
            self.shortcut = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)), inplace=True)
        out = self.bn2(self.conv2(out))
        out += self.shortcut(x)
        return F.relu(out)

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2),
    Block(8, 8, 1), Block(8, 16, 2), Block(16, 16, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10),
)
x, y = torch.randn(4, 3, 16, 16), torch.randint(0, 10, (4,))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for _ in range(2):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
"""

GPT = """
import math
import torch
from torch import nn
import torch.nn.functional as F

class Attention(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)).view(1, 1, length, length))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = [part.view(b, t, self.heads, c // self.heads).transpose(1, 2) for part in self.qkv(x).split(c, 2)]
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(c // self.heads)
        scores = scores.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf"))
        weights = self.dropout(F.softmax(scores, -1))
        return self.out((weights @ v).transpose(1, 2).contiguous().view(b, t, c))

class Block(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads, length)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.mlp(self.ln2(x))

class GPT(nn.Module):
    def __init__(self, vocabulary=20, width=16, heads=2, length=12, layers=2):
        super().__init__()
        self.token, self.position = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*[Block(width, heads, length) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.token.weight

    def forward(self, index):
        x = self.token(index) + self.position(torch.arange(index.shape[1]))
        return self.head(self.norm(self.blocks(x)))

torch.manual_seed(0)
net = GPT()
text = torch.randint(0, 20, (3, 12))
optimizer = torch.optim.AdamW(net.parameters())
for _ in range(2):
    logits = net(text[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, 20), text[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
"""

LSTM = """
import torch
from torch import nn

torch.manual_seed(0)
lstm, head = nn.LSTM(4, 6, num_layers=2, batch_first=True, dropout=0.2), nn.Linear(6, 1)
cell = nn.GRUCell(6, 5)
x = torch.randn(3, 7, 4)
out, (h, c) = lstm(x)
loss = head(out[:, -1]).pow(2).mean() + cell(h[-1]).tanh().sum()
loss.backward()
"""

FLASH = """
import torch
import torch.nn.functional as F

q = torch.randn(2, 2, 8, 4, requires_grad=True)
F.scaled_dot_product_attention(q, q.sin(), q.cos(), is_causal=True).sum().backward()
layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
layer(torch.randn(2, 5, 8)).logsumexp(-1).sum().backward()
"""


@pytest.mark.parametrize("code", [RESNET, GPT, LSTM, FLASH], ids=["resnet", "gpt", "lstm", "attention"])
def test_bytes_are_those_that_hooks_see(code: str) -> None:
    found = captured(code)
    assert found["error"] is None
    wanted = record(code)
    assert differences(wanted, told(found)) == {}
    assert sum(wanted["nodes"].values()) > 1000


def _storages(document: dict[str, Any]) -> dict[str, tuple[int, str, str | None]]:
    names = {row["id"]: row["name"] for row in document["tensors"]}
    return {s["id"]: (s["bytes"], s["kind"], names.get(s["tensor"])) for s in document["storages"]}


def test_a_storage_says_what_it_is() -> None:
    document = captured(GPT)
    told_of = _storages(document).values()
    kinds = {name: kind for _, kind, name in told_of if name is not None}
    assert kinds["net.token.weight"] == "parameter" and kinds["net.blocks.0.attention.out.weight"] == "parameter"
    assert kinds["text"] == "input"
    assert sum(name == "net.token.weight" for _, _, name in told_of) == 1  # which two layers share
    masks = [kept for node in document["nodes"] if node["name"] == "MaskedFillBackward0" for kept in node["keeps"]]
    assert masks and all(_storages(document)[kept["storage"]][1] == "activation" for kept in masks)
    document = captured(RESNET)
    kinds = {name: kind for _, kind, name in _storages(document).values() if name is not None}
    assert kinds["net.1.running_mean"] == "buffer" and kinds["x"] == "input"


def test_memory_that_was_freed_is_not_that_which_came_after() -> None:
    code = """
import torch
w = torch.ones(300, 300, requires_grad=True)
for i in range(4):
    y = torch.nn.functional.dropout(w, 0.5)
    y.sum().backward()
    del y
"""
    document = captured(code)
    masks = [kept["storage"] for node in document["nodes"] for kept in node.get("keeps", [])]
    assert len(masks) == len(set(masks)) == 4


def test_what_hangs_on_ctx_and_what_hooks_packed() -> None:
    code = """
import torch
class Mask(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mask = x > 0
        ctx.factors = [2, torch.ones(5)]
        ctx.save_for_backward(x)
        return x * ctx.mask
    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask
x = torch.ones(3, requires_grad=True)
Mask.apply(x).sum().backward()
with torch.autograd.graph.saved_tensors_hooks(lambda t: (t.half(), 3), lambda packed: packed[0].float()):
    y = x.exp()
with torch.autograd.graph.saved_tensors_hooks(lambda t: 0, lambda packed: x):
    z = x.exp()
"""
    document = captured(code)
    (node,) = [row for row in document["nodes"] if row["name"] == "MaskBackward"]
    named = {row["name"]: row["bytes"] for row in node["keeps"]}
    assert named == {"saved_tensors[0]": 12, "ctx.mask": 3, "ctx.factors[1]": 20}
    packed, nothing = [row for row in document["nodes"] if row["name"] == "ExpBackward0"]
    assert [(kept["dtype"], kept["bytes"]) for kept in packed["keeps"]] == [("float16", 6)]
    assert "keeps" not in nothing


def test_checkpointed_modules_keep_their_input_alone() -> None:
    block = nn.Sequential(nn.Linear(8, 64), nn.GELU(), nn.Linear(64, 8))
    x = torch.randn(4, 8, requires_grad=True)

    def kept(call: Any) -> int:
        with backlight.capture() as run:
            y = call(x)
        size: dict[str, int] = {row["id"]: row["bytes"] for row in run.document.get("storages", ())}
        assert y is not None
        return sum(size.values())

    plain = kept(block)
    assert plain > 4 * 64 * 4 * 2
    assert kept(lambda x: torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)) == 0


def test_a_graph_that_is_retained_is_freed_when_nothing_leads_to_it() -> None:
    document = captured(
        "import torch\nw = torch.ones(4, requires_grad=True)\nfor i in range(3):\n    loss = w.exp().sum()\n"
        "    loss.backward(retain_graph=True)\n"
    )
    nodes = [row for row in document["nodes"] if row["name"] == "ExpBackward0"]
    bound = [i for i, event in enumerate(document["events"]) if event["kind"] == "bind" and event["name"] == "loss"]
    assert [row.get("freed") for row in nodes] == [bound[1], bound[2], None]
