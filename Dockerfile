# A digest pins the base for good: `npm run image` prints the command that looks it up.
ARG BASE=node:26.10.0-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY src src
RUN node src/bundle.ts /bundle/src

FROM ${BASE}
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/.compile-cache
WORKDIR /app
# Nothing is installed in a running container.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx
RUN mkdir data .compile-cache && chown node:node data .compile-cache
COPY package.json ./
# A release gives its own bundle in place of that stage (.github/publish.sh).
COPY --from=build /bundle/src src
USER node
# Fills the compile cache, so that the first start is a quick one; and fails here when something is missing, not there.
# It is a start that goes as far as it can where no Slack is.
RUN PLATFORM_URL=http://127.0.0.1:9/api/v1 SLACK_API_URL=http://127.0.0.1:9 SLACK_BOT_TOKEN=xoxb-0 SLACK_APP_TOKEN=xapp-0 \
  ENCRYPTION_KEY=$(printf %064d 0) STORE_URL=sqlite::memory: node src/start.js 2>&1 | grep -q "Slack did not answer" \
  && node src/checkpoint-thread.ts

# The SQLite store. It must outlive the container: keys and pending requests are in it.
VOLUME /app/data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# A small young generation and one helper thread of V8: a busy process holds 50 MB less. package.json and deploy/rackbell.service have both flags, too.
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "src/start.js"]
