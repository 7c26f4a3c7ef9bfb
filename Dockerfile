# Memoir in a container: built from this folder, run as a user without rights, with its data in /data.
FROM node:24-bookworm-slim AS build
WORKDIR /memoir
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=6767 MEMOIR_DATA_DIR=/data
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin memoir && install -d -o memoir -g memoir -m 0700 /data
WORKDIR /memoir
COPY --from=build /memoir/package.json /memoir/LICENSE ./
COPY --from=build /memoir/bin bin
COPY --from=build /memoir/dist dist
COPY --from=build /memoir/vendor vendor
COPY --from=build /memoir/node_modules node_modules
USER 10001
VOLUME /data
EXPOSE 6767
# A process that is ready answers 200; one that starts or stops answers 503.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/memoir.js"]
CMD ["serve"]
