# Filters of warnings
import warnings
warnings.filterwarnings('ignore')
warnings.warn('hi')
with warnings.catch_warnings():
    warnings.simplefilter('ignore'); warnings.warn('x')
print('ok')
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always'); warnings.warn('boo', DeprecationWarning); print(len(w), w[0].category.__name__, str(w[0].message))
import sys
sys.stdout.write('hello\n')
import json; print(json.dumps({'a': [1, 2.5, None, True]}), json.loads('[1, {"b": 2}]'))
