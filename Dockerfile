# An image with the single executable. docs/operations.md explains how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY . .
RUN npm run build

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin commonplace \
 && install --directory --owner=commonplace --group=commonplace --mode=0700 /data
COPY --from=build /build/dist/commonplace /usr/local/bin/commonplace
USER commonplace
WORKDIR /data
VOLUME /data
# The server listens beyond loopback, so set BOOKMARKS_ACCESS, or choose in the browser who may use the bookmarks.
ENV HOST=0.0.0.0 PORT=8000 DATABASE_URL=sqlite:/data/commonplace.db
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["commonplace"]
CMD ["serve"]
