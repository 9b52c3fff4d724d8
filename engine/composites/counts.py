"""`torch.poisson` and `torch.binomial`."""

from engine.codegen.publish import publish

publish("torch", "poisson", "binomial", inplace=False)
