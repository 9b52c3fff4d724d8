# SyntaxError: 'return' outside function
return 5
