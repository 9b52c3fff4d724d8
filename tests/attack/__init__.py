"""Attacks on the engine and on a running service; see README.md here."""
