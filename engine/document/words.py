"""Words that all recorders write."""

ACCUMULATES = "adds what arrives to the leaf's .grad"
"""What AccumulateGrad says."""

UNRECORDED = "unrecorded"
"""Who wrote to a tensor or its `.grad` while nothing was recorded."""
