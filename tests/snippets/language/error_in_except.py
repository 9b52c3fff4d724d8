# An error while another one is handled
try:
    try:
        {}["a"]
    except KeyError:
        1 / 0
except ZeroDivisionError as e:
    print(repr(e.__context__), e.__cause__, e.__suppress_context__)
