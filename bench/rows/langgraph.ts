import { handOver, type Keeper } from '../frame/hand-over.ts'
import { createHttpClient } from '../frame/http-client.ts'
import { beside, type Result, type Row } from '../frame/row.ts'
import { type BenchService, withService } from '../frame/service.ts'
import { untilSure } from '../frame/until-sure.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'
import { installLanggraph, openSqlite, startDevServer } from '../peers/langgraph.ts'

const pageSize = 100

type Rates = { handrail: number; devServer: number; sqlite: number }

export const langgraph: Row = {
  name: 'langgraph',
  about:
    'create, list waiting, answer, read the result: beside the dev server of LangGraph, and LangGraph with SQLite',
  async run(context) {
    const tasks = context.quick ? 200 : 1_000
    context.tell('installing LangGraph, the first time')
    await installLanggraph()
    return await withService(async (service) => {
      const handrail = overRest(service, await setUpWorkspace(service))
      context.tell('warming up')
      for (let round = 0; round < 3; round++) await handOver(handrail, tasks)
      const measures = {
        handrail: () => handOver(handrail, tasks),
        devServer: () => fresh(startDevServer, tasks),
        sqlite: () => fresh(openSqlite, tasks),
      }
      const bounds = context.quick ? { least: 2, most: 4 } : { least: 5, most: 9 }
      const round = inRotation(measures)
      try {
        return await untilSure(context, bounds, round, report)
      } finally {
        await handrail.close()
      }
    })
  },
}

function report(rounds: Rates[]): Result[] {
  const line = (peer: 'devServer' | 'sqlite', floorIs: string, atLeast: number): Result => ({
    what: `tasks a second, beside ${floorIs}`,
    unit: '/s',
    floorIs,
    ...beside(
      rounds.map((rates) => ({ product: rates.handrail, floor: rates[peer] })),
      (perSecond) => perSecond,
    ),
    targets: [{ of: 'ratio', is: 'at least', value: atLeast }],
  })
  return [line('devServer', 'LangGraph’s dev server', 4), line('sqlite', 'LangGraph with SQLite', 1)]
}

/** The agent's requests with its key, the person's with a cookie. */
function overRest(service: BenchService, { agent, owner }: BenchWorkspace): Keeper {
  const client = createHttpClient(service.url, 8)
  const send = async (method: string, path: string, who: Record<string, string>, body?: unknown) =>
    JSON.parse((await client.send(method, `/api/v1${path}`, who, body)).text)
  return {
    create: async (task) => (await send('POST', '/tasks', agent, task)).taskId,
    async waiting() {
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

/** Both peers slow down with what they have seen, so each round has its own, warmed up. */
async function fresh(open: () => Promise<Keeper>, tasks: number): Promise<number> {
  const keeper = await open()
  try {
    await handOver(keeper, 100)
    return await handOver(keeper, tasks)
  } finally {
    await keeper.close()
  }
}

/** Each of them once, another one first every time. */
function inRotation(measures: Record<keyof Rates, () => Promise<number>>): () => Promise<Rates> {
  const names: (keyof Rates)[] = ['handrail', 'devServer', 'sqlite']
  return async () => {
    const rates: Rates = { handrail: 0, devServer: 0, sqlite: 0 }
    for (const name of names) rates[name] = await measures[name]()
    names.push(names.shift()!)
    return rates
  }
}
