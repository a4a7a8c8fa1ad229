import { createBaselineDatabase, poolSize, startBaseline } from './baseline.ts'
import { createHttpClient } from './http-client.ts'
import { clients, loadRounds, postsPerSecond } from './load.ts'
import { type Era, openSession, protocolVersions, toolCall } from './mcp.ts'
import { beside, type Context, type Result } from './row.ts'
import { inTurns, runUntilConclusive } from './run-until-conclusive.ts'
import { withDatabase, withService } from './service.ts'
import { task } from './task.ts'
import { setUpWorkspace } from './workspace.ts'

type Server = { url: string; identity: Record<string, string> }

export type ToolRow = {
  tool: string
  /** The arguments of the measured call; may first create a task at the server. */
  args(server: Server): Promise<unknown>
  baselineIs: string
  atLeast: number
}

/** Calls per second of one tool, next to the SDK's echo tool, in both protocol versions. */
export function compareToolCalls(context: Context, row: ToolRow): Promise<Result[]> {
  return withService((service) =>
    withDatabase(service, async (databaseUrl) => {
      const { agent } = await setUpWorkspace(service)
      const tables =
        'CREATE TABLE task (id uuid PRIMARY KEY, body json NOT NULL, created_at timestamptz DEFAULT now())'
      const baselineDatabase = await createBaselineDatabase(databaseUrl, tables)
      const baseline = await startBaseline('mcp-echo-server', baselineDatabase, String(poolSize))
      try {
        const results: Result[] = []
        for (const era of ['2026', '2025'] as const) {
          const product = await createLoad(era, row, { url: service.url, identity: agent }, context.quick)
          const bare = await createLoad(era, row, { url: baseline.url, identity: {} }, context.quick)
          // V8 keeps optimizing the larger program for thousands of requests.
          context.showProgress(`warming up, MCP ${protocolVersions[era]}`)
          for (const warm of [product, bare]) for (let round = 0; round < 3; round++) await warm()
          const measured = await runUntilConclusive(
            context,
            loadRounds(context),
            inTurns(product, bare),
            (rounds) => [
              {
                what: `${row.tool} per second, MCP ${protocolVersions[era]}`,
                unit: '/s',
                ...beside(rounds, (perSecond) => perSecond),
                baselineIs: row.baselineIs,
                targets: [{ of: 'ratio', is: 'at least', value: row.atLeast }],
              },
            ],
          )
          results.push(...measured)
        }
        return results
      } finally {
        await baseline.stop()
      }
    }),
  )
}

/** Returns a function that measures calls per second for a few seconds. */
async function createLoad(
  era: Era,
  row: ToolRow,
  server: Server,
  quick: boolean,
): Promise<() => Promise<number>> {
  const { headers, body } = toolCall(era, row.tool, await row.args(server))
  const client = createHttpClient(server.url)
  // Each client of protocol 2025-11-25 has its own session.
  const sessions =
    era === '2025'
      ? await Promise.all(Array.from({ length: clients }, () => openSession(client, server.identity)))
      : undefined
  client.close()
  return () =>
    postsPerSecond({
      url: `${server.url}/mcp`,
      headers: { ...headers, ...server.identity },
      body,
      seconds: quick ? 2 : 5,
      isSuccess: (responseBody) => responseBody.includes('"structuredContent"'),
      ...(sessions && { clientHeaders: sessions.map((sessionId) => ({ 'mcp-session-id': sessionId })) }),
    })
}

/** Creates a task with `send_to_human` and returns its id. */
export async function sendTask({ url, identity }: Server): Promise<string> {
  const { headers, body } = toolCall('2026', 'send_to_human', task)
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...identity },
    body,
  })
  const { result } = (await response.json()) as { result: { structuredContent: { taskId: string } } }
  return result.structuredContent.taskId
}
