"""`matplotlib`, as far as it draws: what a program plots becomes figures of the run document, as data.

`names.py` what matplotlib has · `given.py` numbers from a program's values · `colors.py` `colormaps.py` · `rc.py`
settings · `scales.py` limits · `artists.py` what is drawn · `axes.py` · `lines.py` `bars.py` `fields.py` the methods
that draw · `described.py` what the document says · `figures.py` · `pyplot.py` · `modules.py` what can be imported.
"""
