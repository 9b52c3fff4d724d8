"""Bytes that rows of a document take without their values, on average, whoever writes them."""

from __future__ import annotations

TENSOR, NODE, SCOPE, EVENT, SEND = 330, 480, 95, 60, 85

VALUE = 60
"""A small value, without its numbers."""
