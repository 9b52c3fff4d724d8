"""Backlight for language models: a Model Context Protocol server over stdio (`python -m app.mcp`)."""
