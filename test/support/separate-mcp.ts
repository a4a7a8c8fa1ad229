import { readConfig } from '../../src/server/config.ts'
import { listen } from '../../src/server/listen.ts'
import { composeSeparateMcp } from '../../src/server/separate-mcp.ts'

/** Starts `--only mcp` in this process, on real HTTP. */
export async function startSeparateMcp(environment: Record<string, string>) {
  const variables = { PORT: '0', LOG_LEVEL: 'fatal', RATE_LIMIT: '0', ...environment }
  const { config, secretConfig } = readConfig(variables, ['--only', 'mcp'])
  const listener = await listen(config.host, config.port, config.maxConnections)
  const url = `http://127.0.0.1:${listener.port}`
  const app = await composeSeparateMcp({ config, secretConfig, publicUrl: config.mcpPublicUrl ?? url })
  listener.serve(app.fetch)
  return {
    url,
    async stop() {
      app.drain()
      await listener.close(2_000)
      await app.close()
    },
  }
}
