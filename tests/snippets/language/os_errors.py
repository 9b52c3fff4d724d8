# What OSErrors say
print(OSError(2, "none", "f"), OSError(2, "none").errno, OSError("x"), FileNotFoundError(2, "no").strerror)
