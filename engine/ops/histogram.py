"""Histograms in any number of dimensions: how many elements lie between neighbouring edges."""

from __future__ import annotations

from engine.codegen.op import op

_SAYS = "PyTorch has no gradient for it"
op(
    "histogram(self, edges, weight=None, density=False)", "NotImplemented",
    "histogram_kernel(self, edges, weight, density)", outputs="hist bin_edges", inplace=False,
    self="underivable('histogram')", edges="underivable('histogram')", weight="underivable('histogram')", says=_SAYS,
)
op(
    "histogramdd(self, edges, weight=None, density=False, source='_histogramdd_from_bin_cts')", "NotImplemented",
    "histogramdd_kernel(self, edges, weight, density)", inplace=False,
    self="underivable(source)", weight="underivable(source)", says=_SAYS,
)
op(
    "_histogramdd_bin_edges(self, edges, weight=None)", "NotImplemented", "list(edges)", outputs="*", inplace=False,
    self="underivable('_histogramdd_bin_edges')", weight="underivable('_histogramdd_bin_edges')", says=_SAYS,
)
