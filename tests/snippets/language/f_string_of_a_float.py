# ValueError: Unknown format code 'd' for object of type 'float'
f'{1.5:d}'
