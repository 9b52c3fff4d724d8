# ValueError: Unknown format code 'd' for object of type 'str'
'{:d}'.format('a')
