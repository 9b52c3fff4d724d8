# sys.exit
import sys
print('a')
sys.exit(3)
