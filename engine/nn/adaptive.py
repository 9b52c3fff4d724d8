"""Adaptive softmax (Grave et al., "Efficient softmax approximation for GPUs"): rare classes in smaller clusters."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.nn import functional as F
from engine.nn.container import ModuleList, Sequential
from engine.nn.linear import Linear
from engine.nn.module import Module

_ASMoutput = namedtuple("_ASMoutput", ("output", "loss"))


class AdaptiveLogSoftmaxWithLoss(Module):
    """Classes up to the first cutoff have an output each, the rest is clusters with an output each and a tail.

    (N, in_features), (N) → log-probabilities of the targets (N), and minus their mean.
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Any,
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise errors.cutoffs_empty()
        if (
            cutoffs != sorted(cutoffs)
            or min(cutoffs) <= 0
            or max(cutoffs) > n_classes - 1
            or len(set(cutoffs)) != len(cutoffs)
            or any(int(c) != c for c in cutoffs)
        ):
            raise errors.cutoffs_order()
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, dtype=dtype)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(
                    Linear(in_features, hidden, bias=False, dtype=dtype), Linear(hidden, size, bias=False, dtype=dtype)
                )
            )

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        self.head.reset_parameters()
        for layers in self.tail:
            for layer in layers.children():
                layer.reset_parameters()

    def forward(self, input_: Any, target_: Any) -> Any:
        ndim = target_.dim()
        if ndim == 1:
            if input_.size(0) != target_.size(0):
                raise errors.adaptive_batch()
            if input_.dim() != 2:
                raise RuntimeError(errors.adaptive_input("1D", "2D"), input_.size())
        elif ndim == 0:
            if input_.dim() != 1:
                raise RuntimeError(errors.adaptive_input("0D", "1D"), input_.size())
        else:
            raise errors.multi_target()
        inputs, target = (input_, target_) if ndim else (input_.unsqueeze(0), target_.unsqueeze(0))
        output, loss = self._output(inputs, target)
        return _ASMoutput(output if ndim else output.squeeze(0), loss)

    def _output(self, inputs: Any, target: Any) -> tuple[Any, Any]:
        used, size = 0, target.size(0)
        output = inputs.new_zeros(size)
        gathered = target.new_empty(size)
        bounds = [0, *self.cutoffs]
        for i, (low, high) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
            mask = (target >= low) & (target < high)
            rows = mask.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            if i == 0:
                gathered.index_copy_(0, rows, target[mask])
            else:
                relative = target[mask] - low
                cluster = self.tail[i - 1](inputs.index_select(0, rows))
                gathered.index_fill_(0, rows, self.shortlist_size + i - 1)
                log_prob = F.log_softmax(cluster, dim=1).gather(1, relative.unsqueeze(1))
                output.index_copy_(0, rows, log_prob.squeeze(1))
            used += rows.numel()
        if used != size:
            raise errors.adaptive_range(self.n_classes - 1, target.min().item(), target.max().item())
        head = F.log_softmax(self.head(inputs), dim=1)
        output += head.gather(1, gathered.unsqueeze(1)).squeeze()
        return output, (-output).mean()

    def log_prob(self, input: Any) -> Any:
        """Log-probabilities of all classes: (N, n_classes)."""
        return self._all(input, self.head(input))

    def _all(self, inputs: Any, head: Any) -> Any:
        out = inputs.new_empty((head.size(0), self.n_classes))
        log_head = F.log_softmax(head, dim=1)
        out[:, : self.shortlist_size] = log_head[:, : self.shortlist_size]
        for i, (start, stop) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False)):
            cluster = F.log_softmax(self.tail[i](inputs), dim=1)
            out[:, start:stop] = cluster + log_head[:, self.shortlist_size + i].unsqueeze(1)
        return out

    def predict(self, input: Any) -> Any:
        """The likeliest class of each row, looking into clusters only where they win."""
        head = self.head(input)
        output = TORCH["argmax"](head, dim=1)
        beyond = output >= self.shortlist_size
        if not beyond.any():
            return output
        if beyond.all():
            return TORCH["argmax"](self._all(input, head), dim=1)
        output[beyond] = TORCH["argmax"](self._all(input[beyond], head[beyond]), dim=1)
        return output
