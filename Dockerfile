FROM python:3.12-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /venv
WORKDIR /src
# Dependencies change less often than the program: this layer is kept until pyproject.toml changes.
COPY pyproject.toml ./
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" > requirements.txt \
 && /venv/bin/pip install -r requirements.txt \
 && /venv/bin/pip uninstall -y pip \
 && find /venv -type d \( -name tests -o -name test \) -prune -exec rm -rf {} +

FROM python:3.12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
 && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin backlight \
 && install -d -o 10001 /data
COPY --from=build /venv /venv
WORKDIR /srv/backlight
COPY app app
COPY engine engine
COPY static static
COPY templates templates
RUN /venv/bin/python -m compileall -q -x examples/programs app engine
ENV PATH=/venv/bin:$PATH HOST=0.0.0.0 PORT=8000 PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER 10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=4)"]
ENTRYPOINT ["tini", "--"]
CMD ["python", "-m", "app"]
