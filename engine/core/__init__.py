"""Tensors, the graph of the backward pass, and the pass itself."""
