"""`torch.poisson` and `torch.binomial`."""

from engine.surface import publish

publish("torch", "poisson", "binomial", inplace=False)
