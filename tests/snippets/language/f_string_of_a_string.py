# ValueError: Unknown format code 'd' for object of type 'str'
f'{"a":d}'
