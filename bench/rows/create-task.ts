import { loadRounds, postsPerSecond } from '../frame/load.ts'
import { beside, type Context, type Result, type Row } from '../frame/row.ts'
import { inTurns, runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { task } from '../frame/task.ts'
import { startTaskBaseline } from '../frame/task-baseline.ts'
import { setUpWorkspace } from '../frame/workspace.ts'

export const createTask: Row = {
  name: 'create-task',
  about: 'POST /api/v1/tasks beside bare node:http and pg, 20 clients, durable',
  run: (context) =>
    withService((service) =>
      withDatabase(service, async (databaseUrl) => {
        const { agent } = await setUpWorkspace(service)
        const baseline = await startTaskBaseline(databaseUrl)
        try {
          return await compare(
            context,
            { url: `${service.url}/api/v1/tasks`, headers: agent },
            { url: baseline.url, headers: {} },
          )
        } finally {
          await baseline.stop()
        }
      }),
    ),
}

const body = JSON.stringify(task)

type Address = { url: string; headers: Record<string, string> }

async function compare(context: Context, service: Address, baseline: Address): Promise<Result[]> {
  const seconds = context.quick ? 2 : 5
  const product = () => postsPerSecond({ ...service, body, seconds })
  const bare = () => postsPerSecond({ ...baseline, body, seconds })
  // V8 keeps optimizing the larger program for thousands of requests.
  context.showProgress('warming up')
  for (const warm of [product, bare]) for (let round = 0; round < 3; round++) await warm()
  return await runUntilConclusive(context, loadRounds(context), inTurns(product, bare), (rounds) => [
    {
      what: 'tasks per second',
      unit: '/s',
      ...beside(rounds, (perSecond) => perSecond),
      baselineIs: 'node:http + pg, a task and an outbox row in one transaction',
      targets: [{ of: 'ratio', is: 'at least', value: 0.5 }],
    },
  ])
}
