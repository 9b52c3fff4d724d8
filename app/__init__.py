"""The Backlight service."""

from engine import __version__ as __version__
