"""The Backlight service."""

__version__ = "0.1.0"
