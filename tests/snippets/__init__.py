"""Programs as people write them to learn, teach and debug autograd, each beside the answer PyTorch 2.13 gave.

A folder is a topic. The first line of a program says what it shows. The answers were written by
`python -m tests.record.programs`; those of `language`, `bridge` and `wrong_kinds` hold to the character.
"""
