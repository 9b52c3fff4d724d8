class Plan:
    def __init__(self, rate, base=None):
        self.base = base
        self.rate = rate if base is None else base.rate * rate

    def grow(self, amount):
        return amount * self.rate if self.base is None else self.base.grow(amount + 1)


plan = Plan(1.5, Plan(1.1, Plan(1.05)))
print(plan.grow(100.0))
