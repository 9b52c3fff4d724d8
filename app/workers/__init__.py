"""Warm processes that run programs; see README.md here. Kept free of imports: a worker must stay light."""
