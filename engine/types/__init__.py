"""Names that values have: dtypes, devices, shapes, and how they print."""
