# `make docker` and compose.yaml pin the base image to one digest.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN apt-get update && apt-get install -y --no-install-recommends esbuild
WORKDIR /src
COPY requirements-sbom.lock ./
RUN python -m venv /venv && python -m venv /sbom && /sbom/bin/pip install --require-hashes -r requirements-sbom.lock
# Dependencies change less often than the program: this layer is kept until the lock changes. Of SciPy the engine uses two
# packages; `prune` leaves out the others, tests, and pip.
COPY requirements.lock ./
RUN /venv/bin/pip install --require-hashes -r requirements.lock \
 && /sbom/bin/cyclonedx-py environment --output-reproducible --output-file sbom.json /venv/bin/python \
 && /venv/bin/pip uninstall -y pip \
 && find /venv -type d \( -name tests -o -name test \) -prune -exec rm -rf {} + \
 && cd /venv/lib/python3*/site-packages/scipy \
 && find . -mindepth 1 -maxdepth 1 -type d ! -name _lib ! -name _external ! -name linalg ! -name special ! -name __pycache__ -exec rm -rf {} +
COPY static static
COPY templates templates
COPY tools/bundle.py tools/
RUN python tools/bundle.py
COPY app app
COPY engine engine
# A job done with what is left of the dependencies: a build without what the engine needs fails here.
RUN /venv/bin/python -c "from app.workers import jobs; jobs.warm()" \
 && find app engine -name __pycache__ -prune -exec rm -rf {} + \
 && /venv/bin/python -m compileall -q -x examples/programs app engine

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin backlight \
 && install -d -o 10001 /data \
 && install -d -o 10001 -m 700 /run/backlight
COPY --from=build /venv /venv
WORKDIR /srv/backlight
COPY --from=build /src/sbom.json ./
COPY --from=build /src/static static
COPY --from=build /src/templates templates
COPY --from=build /src/app app
COPY --from=build /src/engine engine
ENV PATH=/venv/bin:$PATH HOST=0.0.0.0 PORT=8000 PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BACKLIGHT_ISOLATION=strict
USER 10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=4)"]
ENTRYPOINT ["tini", "--"]
CMD ["python", "-m", "app"]
