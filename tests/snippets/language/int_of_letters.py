# ValueError: invalid literal for int() with base 10: 'abc'
int('abc')
