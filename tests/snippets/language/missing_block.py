# IndentationError: expected an indented block after 'if' statement
if True:
print(1)
