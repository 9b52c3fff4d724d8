"""Connectionist temporal classification (Graves et al., 2006): the chance of a label sequence over all alignments."""

from __future__ import annotations

from engine.codegen.op import op

op(
    "_ctc_loss(log_probs, targets: Tensor, input_lengths, target_lengths, blank=0, zero_infinity=False)",
    "CtcLossBackward0", "ctc_kernel(log_probs, targets, input_lengths, target_lengths, blank)", inplace=False,
    outputs="result0 result1!",
    log_probs="_ctc_loss_backward(g, log_probs, targets, input_lengths, target_lengths, result0, result1, blank, "
              "zero_infinity)",
    says="the derivative in each log-probability is its probability minus the share of alignments that pass through it",
)
op(
    "_ctc_loss_backward(grad, log_probs, targets: Tensor, input_lengths, target_lengths, losses, "
    "log_alpha: Tensor, blank, zero_infinity)", "NotImplemented",
    "ctc_backward_kernel(grad, log_probs, targets, input_lengths, target_lengths, losses, log_alpha, blank, "
    "zero_infinity)", inplace=False,
    grad="underivable('_ctc_loss_backward')", log_probs="underivable('_ctc_loss_backward')",
    losses="underivable('_ctc_loss_backward')",
    says="PyTorch has no gradient for it",
)
