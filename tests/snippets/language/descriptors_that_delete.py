# Descriptors of the same name as what they keep in the object, which they delete past themselves
class Checked:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__.get(self.name, "default")

    def __set__(self, obj, value):
        if not isinstance(value, int):
            raise TypeError(f"{self.name} must be an int")
        obj.__dict__[self.name] = value

    def __delete__(self, obj):
        del obj.__dict__[self.name]


class Popped(Checked):
    def __delete__(self, obj):
        print("popped", obj.__dict__.pop(self.name, None))


class Config:
    width = Checked()
    depth = Popped()

    def __delattr__(self, name):
        print("deleting", name)
        super().__delattr__(name)


config = Config()
config.width, config.depth = 3, 4
print(config.width, config.depth, vars(config))
del config.width, config.depth
print(config.width, config.depth, vars(config))
del config.depth
try:
    del config.width
except KeyError as error:
    print("KeyError", error)
try:
    config.width = "wide"
except TypeError as error:
    print(error)
