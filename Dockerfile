# The image, with the libraries that programs import; `--target slim` has none of them, and is smaller.
# `make docker` and compose.yaml pin the base image to one digest.
ARG BASE=python:3.12-slim

# Dependencies change less often than the program: their layers are kept until a lock changes.
FROM ${BASE} AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN apt-get update && apt-get install -y --no-install-recommends binutils
WORKDIR /src
COPY requirements-sbom.lock ./
RUN python -m venv /sbom && /sbom/bin/pip install --no-deps --require-hashes -r requirements-sbom.lock
COPY requirements.lock ./
RUN python -m venv /venv && /venv/bin/pip install --no-deps --require-hashes -r requirements.lock

# Of SciPy the engine uses two packages.
FROM packages AS slim-packages
COPY tools/prune tools/
RUN /sbom/bin/cyclonedx-py environment --output-reproducible --output-file sbom.json /venv/bin/python \
 && tools/prune /venv \
 && cd /venv/lib/python3*/site-packages/scipy \
 && find . -mindepth 1 -maxdepth 1 -type d ! -name _lib ! -name _external ! -name linalg ! -name special ! -name __pycache__ -exec rm -rf {} +

FROM packages AS all-packages
COPY requirements-libraries.lock ./
RUN /venv/bin/pip install --no-deps --require-hashes -r requirements-libraries.lock
COPY tools/prune tools/
RUN /sbom/bin/cyclonedx-py environment --output-reproducible --output-file sbom.json /venv/bin/python && tools/prune /venv

FROM ${BASE} AS program
RUN apt-get update && apt-get install -y --no-install-recommends esbuild
WORKDIR /srv/backlight
COPY static static
COPY templates templates
COPY tools/bundle.py tools/
RUN python tools/bundle.py && rm -r tools
COPY app app
COPY engine engine
RUN find app engine -name __pycache__ -prune -exec rm -rf {} + && python -m compileall -q -x examples/programs app engine

FROM ${BASE} AS service
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin backlight \
 && install -d -o 10001 /data \
 && install -d -o 10001 -m 700 /run/backlight
WORKDIR /srv/backlight
ENV PATH=/venv/bin:$PATH HOST=0.0.0.0 PORT=8000 PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BACKLIGHT_ISOLATION=strict
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=4)"]
ENTRYPOINT ["tini", "--"]
CMD ["python", "-m", "app"]

# All of the service is imported, and jobs are done, with what is left of the dependencies: where something is missing, the
# build fails here. The bytecode of what they use of Python itself, which the base image has none of, is kept.
FROM service AS slim
COPY --from=slim-packages /venv /venv
COPY --from=slim-packages /src/sbom.json ./
COPY --from=program /srv/backlight ./
RUN PYTHONDONTWRITEBYTECODE= python -c "import app.main, app.serving; from app.workers import jobs, server; jobs.describe()"
USER 10001

FROM service
COPY --from=all-packages /venv /venv
COPY --from=all-packages /src/sbom.json ./
COPY --from=program /srv/backlight ./
RUN PYTHONDONTWRITEBYTECODE= python -c "import app.main, app.serving; from app.workers import jobs, server; jobs.describe(); jobs.load_libraries()"
USER 10001
