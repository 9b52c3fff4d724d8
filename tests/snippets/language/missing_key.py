# KeyError: 'a'
d = {}
d['a']['b'] = 1
