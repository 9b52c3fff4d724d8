# Warnings of classes that the program defines are caught as what they are
import warnings


class ShapeWarning(UserWarning):
    pass


class RateWarning(RuntimeWarning):
    def __init__(self, text, rate):
        super().__init__(text)
        self.rate = rate


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("odd shape", ShapeWarning)
    mine = RateWarning("too fast", 0.5)
    warnings.warn(mine)
    warnings.warn("plain")
    warnings.warn("old", DeprecationWarning)
for found in caught:
    print(found.category, found.category.__name__, type(found.message).__name__, found.message, found.lineno)
print(caught[0].category is ShapeWarning, issubclass(caught[0].category, UserWarning), caught[1].message is mine)
print(caught[1].message.rate, isinstance(caught[0].message, ShapeWarning))

warnings.filterwarnings("error", category=RuntimeWarning)
try:
    warnings.warn(RateWarning("stop", 2))
except RateWarning as error:
    print(type(error).__name__, error, error.rate)
warnings.filterwarnings("ignore", category=ShapeWarning)
with warnings.catch_warnings(record=True) as caught:
    warnings.warn("hidden", ShapeWarning)
    warnings.warn("seen", UserWarning)
print([str(found.message) for found in caught])
