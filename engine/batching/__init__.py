"""Batches: how ops run once for all entries of a `vmap`. See README.md."""
