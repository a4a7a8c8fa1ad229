import { type Node, startNodes, stopNodes } from '../support/nodes.ts'
import { createDatabase } from '../support/service.ts'

/** Two processes on one database. `url` alternates between them, including one that is down. */
export async function startKillableNodes(environment: Record<string, string> = {}) {
  const database = await createDatabase()
  const start = (count: number) => startNodes(database.url, count, environment)
  const nodes: Node[] = await start(2)
  let turn = 0

  return {
    databaseUrl: database.url,
    url: () => nodes[turn++ % nodes.length]!.url,
    output: () => nodes[0]!.output(),
    async killAndRestart(which: number): Promise<void> {
      await nodes[which]!.kill()
      nodes[which] = (await start(1))[0]!
    },
    async end(): Promise<void> {
      await stopNodes(nodes)
      await database.drop()
    },
  }
}
