"""The parts of torchvision that programs for learning use, on images that nobody has taken."""
