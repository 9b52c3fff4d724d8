# The order of sets of numbers
print({3, 2.5, 16, 40}, {3, 2.5, 16, int("40")}, {-9, -5, 39})
