"""Code blocks of documentation that play: static files beside the page, made when it is built.

`blocks.py` runs the blocks of a page and keeps what was recorded, `worker.py` is the process they run in, `player.js`
shows a recording where it stands. `sphinx.py` and `mkdocs.py` find the blocks and say where the files go. Nothing here
needs PyTorch in the process that builds the pages.
"""
