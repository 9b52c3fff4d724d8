"""77 programs with the answers PyTorch 2.13 gave, and the judge that compares a run document with them."""
