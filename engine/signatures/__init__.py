"""What PyTorch says to a call with wrong arguments.

The engine's functions complain in their own way when they are called wrongly. `complaints.complaint` is asked
afterwards: if PyTorch would have refused the arguments, its words replace the complaint. A call that succeeds never
comes here. Only programs are answered so: whoever imports `engine.torch` in Python gets the engine's own words.

    native.txt    signatures of the functions that PyTorch's parser of arguments guards
    parser        which calls fit them; combination: the text about several signatures
    written       functions that PyTorch has written in Python, down to what they hand to the parser; functional: F's
    complaints    which of them a function of the engine is
"""
