import { createHttpClient } from '../frame/http-client.ts'
import { type Beside, beside, type Result, type Row } from '../frame/row.ts'
import { inTurns, runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { type BenchService, withService } from '../frame/service.ts'
import { concurrentClients, measureThroughput, type TaskSystem } from '../frame/task-throughput.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'
import { installLanggraph, openSqlite, startDevServer } from '../peers/langgraph.ts'

const pageSize = 100

/**
 * Tasks per second. The dev server takes minutes and the others seconds, so they take several turns
 * per round.
 */
type Round = { devServer: number; turns: Beside<number>[] }

const turnsPerRound = 3

export const langgraph: Row = {
  name: 'langgraph',
  about:
    'create, list open tasks, answer, read the result: next to the LangGraph dev server and LangGraph with SQLite',
  async run(context) {
    const tasks = context.quick ? 200 : 1_000
    context.showProgress('installing LangGraph')
    await installLanggraph()
    return await withService(async (service) => {
      const handrail = handrailOverRest(service, await setUpWorkspace(service))
      context.showProgress('warming up')
      for (let round = 0; round < 3; round++) await measureThroughput(handrail, tasks)
      const turn = inTurns(
        () => measureThroughput(handrail, tasks),
        () => measureNew(openSqlite, tasks),
      )
      const round = async (): Promise<Round> => {
        const turns: Beside<number>[] = []
        while (turns.length < turnsPerRound) turns.push(await turn())
        return { turns, devServer: await measureNew(startDevServer, tasks) }
      }
      const bounds = context.quick ? { min: 2, max: 4 } : { min: 3, max: 6 }
      try {
        return await runUntilConclusive(context, bounds, round, report)
      } finally {
        await handrail.close()
      }
    })
  },
}

function report(rounds: Round[]): Result[] {
  const line = (baselineIs: string, pairs: Beside<number>[], atLeast: number): Result => ({
    what: `tasks per second, beside ${baselineIs}`,
    unit: '/s',
    baselineIs,
    ...beside(pairs, (perSecond) => perSecond),
    targets: [{ of: 'ratio', is: 'at least', value: atLeast }],
  })
  // The dev server runs right after the last turn.
  const besideDevServer = rounds.map(({ turns, devServer }) => ({
    product: turns.at(-1)!.product,
    baseline: devServer,
  }))
  const besideSqlite = rounds.flatMap(({ turns }) => turns)
  return [line('LangGraph’s dev server', besideDevServer, 4), line('LangGraph with SQLite', besideSqlite, 1)]
}

/** Requests of the agent use an API key, those of the person a session cookie. */
function handrailOverRest(service: BenchService, { agent, owner }: BenchWorkspace): TaskSystem {
  const client = createHttpClient(service.url, concurrentClients)
  const send = async (method: string, path: string, who: Record<string, string>, body?: unknown) =>
    JSON.parse((await client.send(method, `/api/v1${path}`, who, body)).text)
  return {
    create: async (task) => (await send('POST', '/tasks', agent, task)).taskId,
    async countOpen() {
      let count = 0
      let cursor = ''
      do {
        const page = await send('GET', `/inbox?limit=${pageSize}&cursor=${cursor}`, owner)
        count += page.rows.length
        cursor = page.nextCursor ?? ''
      } while (cursor)
      return count
    },
    async answer(id, answer) {
      await send('POST', `/tasks/${id}/handle`, owner, answer)
    },
    read: async (id) => (await send('GET', `/tasks/${id}`, agent)).handled,
    async close() {
      client.close()
    },
  }
}

/** Both peers slow down with the number of tasks, so each round uses a new one, warmed up. */
async function measureNew(open: () => Promise<TaskSystem>, tasks: number): Promise<number> {
  const system = await open()
  try {
    await measureThroughput(system, 100)
    return await measureThroughput(system, tasks)
  } finally {
    await system.close()
  }
}
