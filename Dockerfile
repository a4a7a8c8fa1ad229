# Debian, not Alpine: the PostgreSQL binaries from npm are built against glibc.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV PORT=3000
ENV DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# If PUBLIC_URL has a path, /health is below it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "const path = new URL(process.env.PUBLIC_URL || 'http://x').pathname.replace(/\\/$/, ''); fetch(`http://127.0.0.1:${process.env.PORT}${path}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
