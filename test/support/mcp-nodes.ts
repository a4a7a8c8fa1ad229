import { startKv } from './kv-proxy.ts'
import { startService } from './service.ts'

export const sessionStores = ['PostgreSQL', 'a key-value store'] as const

export type McpNodes = Awaited<ReturnType<typeof startMcpNodes>>

/** Two nodes on one database, with MCP sessions in this store. */
export async function startMcpNodes(store: (typeof sessionStores)[number]) {
  const kv = store === 'PostgreSQL' ? undefined : await startKv()
  const here = await startService(kv?.environment)
  const there = await startService({ DATABASE_URL: here.databaseUrl, ...kv?.environment })
  return {
    kv,
    here,
    there,
    async stop() {
      await there.stop()
      await here.stop()
      await kv?.stop()
    },
  }
}
