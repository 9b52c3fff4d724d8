"""`numpy` over checked arrays (`engine.program.arrays`): results are sized and paid for before numpy makes them.

`functions.py` names of numpy's functions, by kind · `calling.py` calls them · `sizing.py` what they take · `making.py`
arrays of shapes, values and functions · `placing.py` `grids.py` `products.py` what has rules of its own · `ufuncs.py`
`vectorize.py` `iter.py` · `random.py` · `poly.py` `polynomial.py` · `files.py` `printing.py` `texts.py` · `types.py`
`objects.py` `tensors.py` what numpy leaves to others · `errstate.py` · `testing.py` · `modules.py` what can be
imported.
"""
