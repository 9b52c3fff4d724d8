# pprint
import pprint
pprint.pprint({"b": [3, {1, 2}], "a": list(range(40)), 1: None})
