# A list that contains itself, copied
import copy
a = [1]
a.append(a)
b = copy.deepcopy(a)
print(b[1] is b, b[1] is a, copy.copy(a)[1] is a)
