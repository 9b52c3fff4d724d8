"""The user's side of the graph: `backward`, `grad`, custom Functions, forward mode, in-place ops."""
