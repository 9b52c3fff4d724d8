"""Words that all recorders write."""

ACCUMULATES = "adds what arrives to the leaf's .grad"
"""What AccumulateGrad says."""

ACCUMULATES_COMPLEX = (
    "adds what arrives to the leaf's .grad: for z = x + iy PyTorch has ∂L/∂x + i·∂L/∂y, twice ∂L/∂z̄, "
    "which is the conjugate of twice ∂L/∂z"
)
"""What that of a complex leaf says."""

UNRECORDED = "unrecorded"
"""Who wrote to a tensor or its `.grad` while nothing was recorded."""
