# The server as an image: one stage compiles, the other holds only what runs.
# The base is pinned by version. Pin its digest as well where images are built for release, so that a tag that
# moves cannot change what is built.

FROM node:24.21.0-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json vite.config.ts ./
COPY src ./src
COPY deploy/bundle-command.mjs ./deploy/
RUN npm run build && npm prune --omit=dev

FROM node:24.21.0-slim
LABEL org.opencontainers.image.title="LeaseQueue" \
      org.opencontainers.image.description="A durable background-job server: leases, retries, dead letters and live events through one GraphQL API." \
      org.opencontainers.image.licenses="MIT"

# Package managers have no use at run time but to somebody who broke in.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
      /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && install -d -o 10001 -g 10001 -m 0750 /data

WORKDIR /app
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json LICENSE ./
COPY deploy/health-check.mjs ./deploy/health-check.mjs

ENV NODE_ENV=production \
    LEASEQUEUE_ENVIRONMENT=production \
    LEASEQUEUE_HOST=0.0.0.0 \
    LEASEQUEUE_PORT=8000 \
    LEASEQUEUE_DATABASE_PATH=/data/leasequeue.db

USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["node", "deploy/health-check.mjs"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "dist/server/main.js"]
