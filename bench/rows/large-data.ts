import { type Analysed, analyse } from '../frame/analysis.ts'
import { createHttpClient, type HttpClient } from '../frame/http-client.ts'
import {
  type Beside,
  beside,
  type Context,
  quantile,
  type Result,
  type Row,
  spread,
  type Target,
} from '../frame/row.ts'
import { inTurns, runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { setUpWorkspace } from '../frame/workspace.ts'
import { fill } from '../large-data/fill.ts'
import { giantThread } from '../large-data/invented-task.ts'
import { settled } from '../large-data/settled.ts'
import { knownWords } from '../large-data/words.ts'

/** A service with data, and the ids and words to query. */
type Measured = {
  ask: (by: 'agent' | 'owner', path: string) => Promise<number>
  analyse(): Promise<Analysed>
  taskIds: string[]
  cursors: string[]
}

type Question = {
  what: string
  ask(measured: Measured, n: number): Promise<number>
  /** The number of requests per round. */
  requests?: number
  targets: Target[]
}

const asFast: Target[] = [{ of: 'ratio', is: 'at most', value: 1.5 }]
const searchFast: Target[] = [
  { of: 'product', is: 'at most', value: 100 },
  { of: 'ratio', is: 'at most', value: 3 },
]
/** One query of each kind. Each fills its page even at 10,000 tasks. */
const listFilters = [
  ...['status=open', 'type=refund-approval', 'type=spot-check', 'app=billing', 'version=2026.5.1'],
  ...['priority=urgent', `threadId=${giantThread}`],
]
const historyFilters = [
  '',
  'handledBy=person-0@example.com',
  'handledBy=person-39@example.com',
  'actionId=decline',
]
const inboxFilters = ['app=billing', 'type=escalation', 'priority=high', 'assigned=none', 'app=pilot']
const largestPair = { app: 'support', type: 'reply-approval' }

function searchFor(words: string): (measured: Measured) => Promise<number> {
  return ({ ask }) => ask('agent', `/tasks/search?query=${encodeURIComponent(words)}`)
}

const questions: Question[] = [
  {
    what: 'inbox page',
    ask: ({ ask, cursors }, n) => ask('owner', `/inbox?cursor=${cursors[n % cursors.length]}`),
    targets: asFast,
  },
  {
    what: 'inbox by a filter',
    ask: ({ ask }, n) => ask('owner', `/inbox?${inboxFilters[n % inboxFilters.length]}`),
    targets: asFast,
  },
  {
    what: 'list by a filter',
    ask: ({ ask }, n) => ask('agent', `/tasks?${listFilters[n % listFilters.length]}`),
    targets: asFast,
  },
  {
    what: 'history by a filter',
    ask: ({ ask }, n) => ask('owner', `/tasks?sort=handledAt&${historyFilters[n % historyFilters.length]}`),
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
  {
    what: 'statistics of the workspace',
    ask: ({ ask }) => ask('owner', '/statistics'),
    // Each takes as long as fifty other queries.
    requests: 40,
    targets: [{ of: 'product', is: 'at most', value: 300 }],
  },
]

export const largeData: Row = {
  name: 'large-data',
  about:
    'inbox, list, get, search, statistics and analysis at 1,000,000 tasks (--quick: 150,000) compared with 10,000',
  run: (context) =>
    withFilledService(context, context.quick ? 150_000 : 1_000_000, (large) =>
      withFilledService(context, 10_000, async (small) => {
        const results: Result[] = []
        for (const question of questions) results.push(...(await compare(context, question, large, small)))
        results.push(...(await compareAnalyses(context, large, small)))
        return results
      }),
    ),
}

async function compare(
  context: Context,
  question: Question,
  large: Measured,
  small: Measured,
): Promise<Result[]> {
  const { requests = context.quick ? 60 : 100 } = question
  const showProgress = (text: string) => context.showProgress(`${question.what}, ${text}`)
  const round = () => latencies(question, large, small, requests)
  await round()
  const bounds = context.quick ? { min: 3, max: 8 } : { min: 5, max: 15 }
  return await runUntilConclusive({ ...context, showProgress }, bounds, round, (rounds) => {
    const line = (name: string, share: number) => ({
      what: `${question.what}, ${name}`,
      unit: 'ms',
      floorIs: 'the same at 10,000 tasks',
      ...beside(rounds, (sorted) => quantile(sorted, share)),
    })
    return [line('p50', 0.5), { ...line('p95', 0.95), targets: question.targets }]
  })
}

/** Analyses the pair with the most answers: about 20,000 in 30 days at 1,000,000 tasks. */
function compareAnalyses(context: Context, large: Measured, small: Measured): Promise<Result[]> {
  const showProgress = (text: string) => context.showProgress(`analysis, ${text}`)
  return runUntilConclusive(
    { ...context, showProgress },
    { min: 3, max: 5 },
    inTurns(large.analyse, small.analyse),
    (rounds) => [
      {
        what: 'analysis of the largest app and type',
        unit: 's',
        floorIs: 'the same at 10,000 tasks',
        ...beside(rounds, ({ seconds }) => seconds),
        targets: [{ of: 'product', is: 'at most', value: 30 }],
      },
      {
        what: 'slowest /health meanwhile',
        unit: 'ms',
        product: spread(rounds.map(({ product }) => product.slowestHealth)),
        targets: [{ of: 'product', is: 'at most', value: 200 }],
      },
    ],
  )
}

/**
 * Milliseconds of sequential requests, in ascending order. The two sizes alternate per request; otherwise a disturbance of a
 * second would affect only one of them and its p95.
 */
async function latencies(
  { ask }: Question,
  large: Measured,
  small: Measured,
  requests: number,
): Promise<Beside<number[]>> {
  const measured: Beside<number[]> = { product: [], floor: [] }
  let n = 0
  const both = inTurns(
    () => ask(large, n),
    () => ask(small, n),
  )
  for (; n < requests; n++) {
    const { product, floor } = await both()
    measured.product.push(product)
    measured.floor.push(floor)
  }
  const ascending = (one: number, other: number) => one - other
  return { product: measured.product.sort(ascending), floor: measured.floor.sort(ascending) }
}

function withFilledService<T>(
  context: Context,
  tasks: number,
  work: (measured: Measured) => Promise<T>,
): Promise<T> {
  return withService(async (service) => {
    const workspace = await setUpWorkspace(service)
    const { workspaceId } = workspace
    await withDatabase(service, async (databaseUrl) => {
      await fill({ databaseUrl, workspaceId, tasks, showProgress: context.showProgress })
      await settled(databaseUrl, workspaceId, context.showProgress)
    })
    const client = createHttpClient(service.url, 2)
    const send = (by: 'agent' | 'owner', path: string) => client.send('GET', `/api/v1${path}`, workspace[by])
    try {
      return await work({
        ask: async (by, path) => (await send(by, path)).milliseconds,
        analyse: () => analyse(client, workspace, largestPair),
        taskIds: await someTaskIds(send),
        cursors: await someCursors(send),
      })
    } finally {
      client.close()
    }
  })
}

type Send = (by: 'agent' | 'owner', path: string) => ReturnType<HttpClient['send']>

/** Spread over the whole period, so that they are not adjacent. */
async function someTaskIds(send: Send): Promise<string[]> {
  const ids: string[] = []
  for (let days = 0; days < 90; days += 3) {
    const before = new Date(Date.now() - days * 86_400_000).toISOString()
    const { tasks } = JSON.parse((await send('agent', `/tasks?limit=10&createdBefore=${before}`)).text)
    ids.push(...tasks.map(({ taskId }: { taskId: string }) => taskId))
  }
  return ids
}

/** The first pages of the inbox, which people use most. */
async function someCursors(send: Send): Promise<string[]> {
  const cursors = ['']
  while (cursors.length < 5) {
    const { nextCursor } = JSON.parse((await send('owner', `/inbox?cursor=${cursors.at(-1)}`)).text)
    if (nextCursor === null) break
    cursors.push(nextCursor)
  }
  return cursors
}
