# What a UnicodeDecodeError says
try:
    b"\xff".decode("utf-8")
except UnicodeDecodeError as e:
    print(e, "|", e.encoding, e.reason)
