# Formats with % that are malformed
for template, values in (("%5%", 1), ("%z", ()), ("%*d", 3), ("%(a", {}), ("%s", [1]), ("", [1]), ("%*d", (True, 4))):
    try:
        print(repr(template % values))
    except Exception as e:
        print(type(e).__name__, e)
