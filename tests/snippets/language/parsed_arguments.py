# argparse
import argparse
p = argparse.ArgumentParser(description='x')
p.add_argument('--lr', type=float, default=0.1, help='h'); p.add_argument('--batch-size', type=int, default=4, metavar='N'); p.add_argument('--cuda', action='store_true'); p.add_argument('-e', '--epochs', default=2)
args = p.parse_args([]); print(args, args.lr, args.batch_size, args.cuda, args.epochs, vars(args))
from pprint import pprint, pformat
pprint({'b': list(range(30)), 'a': 'x' * 50}); pprint([1]); print(pformat({'z': 1, 'a': 2}))
