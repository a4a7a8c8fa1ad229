import { alternately } from '../frame/alternately.ts'
import { createHttpClient, type HttpClient } from '../frame/http-client.ts'
import { beside, type Context, quantile, type Result, type Row, type Target } from '../frame/row.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { setUpWorkspace } from '../frame/workspace.ts'
import { fill } from '../large-data/fill.ts'
import { knownWords } from '../large-data/words.ts'

/** A filled service: how to ask it, and what there is to ask for. */
type Place = {
  ask: (by: 'agent' | 'owner', path: string) => Promise<number>
  taskIds: string[]
  cursors: string[]
}

type Question = { what: string; ask(place: Place, n: number): Promise<number>; targets: Target[] }

const asFast: Target[] = [{ of: 'ratio', is: 'at most', value: 1.5 }]
const searchFast: Target[] = [
  { of: 'product', is: 'at most', value: 100 },
  { of: 'ratio', is: 'at most', value: 3 },
]
const filters = ['status=open', 'type=refund-approval', 'app=billing', 'version=2026.5.1', 'priority=urgent']

function searchFor(words: string): (place: Place) => Promise<number> {
  return ({ ask }) => ask('agent', `/tasks/search?query=${encodeURIComponent(words)}`)
}

const questions: Question[] = [
  {
    what: 'inbox page',
    ask: ({ ask, cursors }, n) => ask('owner', `/inbox?cursor=${cursors[n % cursors.length]}`),
    targets: asFast,
  },
  {
    what: 'list by a filter',
    ask: ({ ask }, n) => ask('agent', `/tasks?${filters[n % filters.length]}`),
    targets: asFast,
  },
  {
    what: 'get by id',
    ask: ({ ask, taskIds }, n) => ask('agent', `/tasks/${taskIds[n % taskIds.length]}`),
    targets: asFast,
  },
  { what: 'search, rare word', ask: searchFor(knownWords.rare), targets: searchFast },
  { what: 'search, common word', ask: searchFor(knownWords.common), targets: searchFast },
  {
    what: 'search, both',
    ask: searchFor(`${knownWords.common} ${knownWords.rare}`),
    targets: searchFast,
  },
]

export const largeData: Row = {
  name: 'large-data',
  about: 'inbox, list, get and search at 1,000,000 tasks (--quick: 100,000) beside the same at 10,000',
  run: (context) =>
    withPlace(context, context.quick ? 100_000 : 1_000_000, (large) =>
      withPlace(context, 10_000, async (small) => {
        const results: Result[] = []
        for (const question of questions) results.push(...(await compare(context, question, large, small)))
        return results
      }),
    ),
}

async function compare(context: Context, question: Question, large: Place, small: Place): Promise<Result[]> {
  const requests = context.quick ? 100 : 300
  const tell = (text: string) => context.tell(`${question.what}, ${text}`)
  const measure = (place: Place) => latencies(question, place, requests)
  await measure(large)
  await measure(small)
  const rounds = await alternately(
    { ...context, tell },
    context.quick ? 3 : 7,
    () => measure(large),
    () => measure(small),
  )
  const of = (share: number) =>
    beside(
      rounds.product.map((sorted) => quantile(sorted, share)),
      rounds.floor.map((sorted) => quantile(sorted, share)),
    )
  const common = { unit: 'ms', floorIs: 'the same at 10,000 tasks' }
  return [
    { what: `${question.what}, p50`, ...common, ...of(0.5) },
    { what: `${question.what}, p95`, ...common, ...of(0.95), targets: question.targets },
  ]
}

/** Milliseconds of requests one after the other, in ascending order. */
async function latencies({ ask }: Question, place: Place, requests: number): Promise<number[]> {
  const measured: number[] = []
  for (let n = 0; n < requests; n++) measured.push(await ask(place, n))
  return measured.sort((a, b) => a - b)
}

function withPlace<T>(context: Context, tasks: number, work: (place: Place) => Promise<T>): Promise<T> {
  return withService(async (service) => {
    const workspace = await setUpWorkspace(service)
    const { workspaceId } = workspace
    await withDatabase(service, (databaseUrl) =>
      fill({
        databaseUrl,
        workspaceId,
        tasks,
        tell: (done) =>
          context.tell(`making ${done.toLocaleString('en')} of ${tasks.toLocaleString('en')} tasks`),
      }),
    )
    const client = createHttpClient(service.url)
    const send = (by: 'agent' | 'owner', path: string) => client.send('GET', `/api/v1${path}`, workspace[by])
    try {
      return await work({
        ask: async (by, path) => (await send(by, path)).milliseconds,
        taskIds: await someTaskIds(send),
        cursors: await someCursors(send),
      })
    } finally {
      client.close()
    }
  })
}

type Send = (by: 'agent' | 'owner', path: string) => ReturnType<HttpClient['send']>

/** From all of its time, so that they do not lie together. */
async function someTaskIds(send: Send): Promise<string[]> {
  const ids: string[] = []
  for (let days = 0; days < 90; days += 3) {
    const before = new Date(Date.now() - days * 86_400_000).toISOString()
    const { tasks } = JSON.parse((await send('agent', `/tasks?limit=10&createdBefore=${before}`)).text)
    ids.push(...tasks.map(({ taskId }: { taskId: string }) => taskId))
  }
  return ids
}

/** The first pages of the inbox: a person works from its beginning. */
async function someCursors(send: Send): Promise<string[]> {
  const cursors = ['']
  while (cursors.length < 5) {
    const { nextCursor } = JSON.parse((await send('owner', `/inbox?cursor=${cursors.at(-1)}`)).text)
    if (nextCursor === null) break
    cursors.push(nextCursor)
  }
  return cursors
}
