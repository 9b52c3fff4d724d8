# NameError: name 'undefined' is not defined
x = [1,
     2,
     undefined,
     3]
