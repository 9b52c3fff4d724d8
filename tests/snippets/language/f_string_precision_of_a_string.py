# ValueError: Unknown format code 'f' for object of type 'str'
print(f"{'a':.2f}")
