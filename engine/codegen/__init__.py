"""From the row of an op to the functions that run."""
