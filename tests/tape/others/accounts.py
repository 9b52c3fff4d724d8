class Account:
    def __init__(self):
        self.balance = 0.0

    def pay(self, other, amount):
        self.balance -= amount * 1
        other.balance += amount

a, b = Account(), Account()
a.pay(b, 5.0)
b.pay(a, 2.0)
print(a.balance, b.balance)
