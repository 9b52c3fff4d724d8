"""What nodes of programs keep for their gradients is what PyTorch's hooks for saved tensors saw, to the byte."""

from __future__ import annotations

import pytest

import engine
from tests.kept import differences, programs, recorded, told

CELL = "PyTorch computes the gates of a recurrent cell in place, in the memory of their sum; the bytes are the same"
ONEDNN = "oneDNN's workspace for an LSTM has a size of its own; the engine keeps the gates"
DROPPED = "PyTorch's op is made of others there, whose graph nobody gets"
REDUCED = "PyTorch reduces a loss in memory as large as the losses, which the result keeps"
BAGS = "PyTorch's `offset2bag` has room for one more"
CHECKED = "PyTorch's Python computes once more with a history, to check what it was given"
NUMPY = "each `from_numpy` of an array is a storage to PyTorch, but the same memory"
TAPE = "the autograd of the program's own is told as PyTorch's, too"
RAISES = "PyTorch's hooks see what is kept for a node that is never made: an inference tensor, saved next, raises"
ELSEWHERE = {
    "basics/complex_gradients": DROPPED,
    "basics/inference_tensors_that_require_grad": RAISES,
    "basics/two_variables": DROPPED,
    "healthy/sequence_to_sequence": CELL,
    "layers/lstm_cell_by_hand": CELL,
    "layers/lstm_cell_manual_grads": ONEDNN,
    "layers/packed_sequences": CELL,
    "layers/rnn_shapes": ONEDNN,
    "layers/sparse_embeddings": BAGS,
    "layers/sparse_updates_embedding": BAGS,
    "layers/time_series_rnn_module": ONEDNN,
    "losses/bce_shapes_pitfalls": DROPPED,
    "losses/class_weights_and_probabilities": DROPPED,
    "losses/ctc_by_alignment": DROPPED,
    "losses/ctc_like_masking": DROPPED,
    "losses/sort_and_rank_losses": DROPPED,
    "losses/spatial_targets": DROPPED,
    "modules/lstm_differentiated_twice": ONEDNN,
    "modules/parametrized_layers": CHECKED,
    "modules/pruning": CHECKED,
    "modules/weight_and_spectral_norm": CHECKED,
    "programs/own_tape_and_torch": TAPE,
    "training/attention_decoder": CELL,
    "training/autocast": ONEDNN,
    "training/char_rnn": CELL,
    "training/gradient_scaler": REDUCED,
    "training/multitask_uncertainty": REDUCED,
    "training/numpy_beside_torch": NUMPY,
    "training/reinforce": CHECKED,
    "training/seq2seq_toy": CELL,
}
"""Programs in which the engine keeps something else, and why."""

ANSWERS = {name: answer for name, answer in recorded().items() if name != "programs/notes_inplace_version"}
"""All that are recorded, but for one that raises where no hook takes its tensors."""


@pytest.mark.parametrize("name", ANSWERS)
def test_a_program_keeps_what_it_does_in_pytorch(name: str) -> None:
    document = engine.run(code=programs()[name].read_text("utf-8"), seed=0).document
    assert document["error"] is None and document["limits"]["truncated"] is None
    found = differences(ANSWERS[name], told(document))
    if name not in ELSEWHERE:
        assert found == {}
        return
    assert found != {}, "it is the same by now"
    if ELSEWHERE[name] is CELL:
        wanted, given = ANSWERS[name]["nodes"], told(document)["nodes"]
        assert sum(wanted.values()) == sum(given.values())
