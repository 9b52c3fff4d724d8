# What a UnicodeEncodeError says
try:
    "é".encode("ascii")
except UnicodeEncodeError as e:
    print(e, "|", e.encoding, e.start, e.end, e.reason, e.object)
    print(repr(e), e.args)
