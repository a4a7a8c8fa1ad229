import { type Caller, callAs } from './http.ts'
import { startNode } from './node.ts'
import { type TestWorkspace, testSecrets } from './service.ts'

export type Node = Awaited<ReturnType<typeof startNode>>

/** Starts several processes on one database. If one fails to start, the others are stopped. */
export async function startNodes(
  databaseUrl: string,
  count: number,
  environment: Record<string, string> = {},
): Promise<Node[]> {
  const starts = await Promise.allSettled(
    Array.from({ length: count }, () =>
      startNode({ DATABASE_URL: databaseUrl, ...testSecrets, ...environment }),
    ),
  )
  const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = starts.find((start) => start.status === 'rejected')
  if (!failed) return nodes
  await stopNodes(nodes)
  throw failed.reason
}

/** At once: a node that gets SIGTERM serves new requests for another second. */
export async function stopNodes(nodes: Node[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.kill()))
}

// Keys and cookies are valid at every node.

export function agentAt(url: string, { apiKey }: Pick<TestWorkspace, 'apiKey'>): Caller {
  return callAs(url, { 'x-api-key': apiKey })
}

export function personAt(
  url: string,
  { workspaceId }: Pick<TestWorkspace, 'workspaceId'>,
  { cookie }: { cookie: string },
): Caller {
  return callAs(url, { cookie, origin: url, 'handrail-workspace': workspaceId })
}
