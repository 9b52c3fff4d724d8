"""`python -m app` serves Backlight; see docs/configuration.md for its settings."""

import sys

if __name__ == "__main__":
    from app.config import settings_or_exit
    from app.serving import serve

    sys.exit(serve(settings_or_exit()))
