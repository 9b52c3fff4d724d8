# IndentationError: unexpected indent
x = 5
  y = 6
