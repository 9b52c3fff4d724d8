# A future import of a feature that Python has not
from __future__ import annotations, curly_braces
