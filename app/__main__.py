"""`python -m app` serves Backlight; see docs/configuration.md for its settings."""

import sys

if __name__ == "__main__":
    from pydantic import ValidationError

    from app.config import Settings
    from app.serving import serve

    try:
        settings = Settings()
    except ValidationError as error:
        sys.exit(f"The settings do not fit:\n{error}")
    sys.exit(serve(settings))
