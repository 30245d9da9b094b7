FROM node:26.10.0-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:26.10.0-slim
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.compile-cache
WORKDIR /app
RUN mkdir data .compile-cache && chown node:node data .compile-cache
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY src src
USER node
# Fills the compile cache, so that the first start is a quick one; and fails here when something is missing, not there.
RUN node --input-type=module --eval 'await import("/app/src/app.ts"); await import("/app/src/storage/embedded/worker/worker.ts"); process.exit(0)'

# The embedded store. It must outlive the container: keys and pending requests are in it.
VOLUME /app/data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/start.js"]
