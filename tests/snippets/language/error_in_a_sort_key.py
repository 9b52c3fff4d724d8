# AttributeError: 'int' object has no attribute 'q'
sorted([3,1], key=lambda v: v.q)
