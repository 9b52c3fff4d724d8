# SyntaxError: unterminated triple-quoted string literal
x = '''abc
