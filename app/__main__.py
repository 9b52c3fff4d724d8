"""`python -m app` serves Backlight; see docs/configuration.md for its settings."""

import sys

if __name__ == "__main__":
    from pydantic import ValidationError

    from app.config import Settings, variable
    from app.serving import serve

    try:
        settings = Settings()
    except ValidationError as error:
        lines = [
            f"{variable(str(item['loc'][0]))}={item['input']}: {item['msg'].removeprefix('Value error, ')}"
            for item in error.errors()
        ]
        sys.exit("\n".join(["Some settings do not fit (docs/configuration.md explains them):", *lines]))
    sys.exit(serve(settings))
