"""Scripts that record answers from real PyTorch for tests that run without it."""
