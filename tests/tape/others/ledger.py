balances = {}
fees = {}
entries = []


def open_account(name, amount):
    balances[name] = amount
    fees[name] = 0.0


def transfer(one, other, amount):
    balances[one] = balances[one] - amount
    balances[other] = balances[other] + amount
    entries.append((one, other, amount * 2))


open_account("ann", 10.0)
open_account("ben", 5.0)
open_account("cy", 1.0)
transfer("ann", "ben", 2.0)
transfer("ben", "cy", 1.0)
for one, other, amount in entries:
    fees[one] += amount * 0.01
    fees[other] += 0.1
print(balances, fees)
