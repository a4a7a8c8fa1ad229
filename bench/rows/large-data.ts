import { type AnalysisTimes, runAnalysis } from '../frame/analysis.ts'
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
import { waitUntilSettled } from '../large-data/wait-until-settled.ts'
import { knownWords } from '../large-data/words.ts'

/** A service with data, and what its queries need. */
type Measured = {
  /** Sends a GET request and returns its milliseconds. */
  get: (by: 'agent' | 'owner', path: string) => Promise<number>
  analysis(): Promise<AnalysisTimes>
  taskIds: string[]
  cursors: string[]
}

type Query = {
  what: string
  /** Runs the query for the n-th time and returns its milliseconds. */
  run(measured: Measured, n: number): Promise<number>
  /** The number of requests per round. */
  requests?: number
  targets: Target[]
}

const almostAsFast: Target[] = [{ of: 'ratio', is: 'at most', value: 1.5 }]
const searchFast: Target[] = [
  { of: 'product', is: 'at most', value: 100 },
  { of: 'ratio', is: 'at most', value: 3 },
]
/** One filter of each kind. Each fills its page even at 10,000 tasks. */
const listFilters = [
  'status=open',
  'type=refund-approval',
  'type=spot-check',
  'app=billing',
  'version=2026.5.1',
  'priority=urgent',
  `threadId=${giantThread}`,
]
const historyFilters = [
  '',
  'handledBy=person-0@example.com',
  'handledBy=person-39@example.com',
  'actionId=decline',
]
const inboxFilters = ['app=billing', 'type=escalation', 'priority=high', 'assigned=none', 'app=pilot']
const largestAppAndType = { app: 'support', type: 'reply-approval' }

function searchFor(words: string): (measured: Measured) => Promise<number> {
  return ({ get }) => get('agent', `/tasks/search?query=${encodeURIComponent(words)}`)
}

const queries: Query[] = [
  {
    what: 'inbox page',
    run: ({ get, cursors }, n) => get('owner', `/inbox?cursor=${cursors[n % cursors.length]}`),
    targets: almostAsFast,
  },
  {
    what: 'inbox by a filter',
    run: ({ get }, n) => get('owner', `/inbox?${inboxFilters[n % inboxFilters.length]}`),
    targets: almostAsFast,
  },
  {
    what: 'list by a filter',
    run: ({ get }, n) => get('agent', `/tasks?${listFilters[n % listFilters.length]}`),
    targets: almostAsFast,
  },
  {
    what: 'history by a filter',
    run: ({ get }, n) => get('owner', `/tasks?sort=handledAt&${historyFilters[n % historyFilters.length]}`),
    targets: almostAsFast,
  },
  {
    what: 'get by id',
    run: ({ get, taskIds }, n) => get('agent', `/tasks/${taskIds[n % taskIds.length]}`),
    targets: almostAsFast,
  },
  { what: 'search, rare word', run: searchFor(knownWords.rare), targets: searchFast },
  { what: 'search, common word', run: searchFor(knownWords.common), targets: searchFast },
  {
    what: 'search, both',
    run: searchFor(`${knownWords.common} ${knownWords.rare}`),
    targets: searchFast,
  },
  {
    what: 'statistics of the workspace',
    run: ({ get }) => get('owner', '/statistics'),
    // One takes as long as fifty other queries.
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
        for (const query of queries) results.push(...(await compare(context, query, large, small)))
        results.push(...(await compareAnalyses(context, large, small)))
        return results
      }),
    ),
}

async function compare(context: Context, query: Query, large: Measured, small: Measured): Promise<Result[]> {
  const { requests = context.quick ? 60 : 100 } = query
  const showProgress = (text: string) => context.showProgress(`${query.what}, ${text}`)
  const round = () => latencies(query, large, small, requests)
  await round()
  const bounds = context.quick ? { min: 3, max: 8 } : { min: 5, max: 15 }
  return await runUntilConclusive({ ...context, showProgress }, bounds, round, (rounds) => {
    const line = (name: string, share: number) => ({
      what: `${query.what}, ${name}`,
      unit: 'ms',
      baselineIs: 'the same at 10,000 tasks',
      ...beside(rounds, (sorted) => quantile(sorted, share)),
    })
    return [line('p50', 0.5), { ...line('p95', 0.95), targets: query.targets }]
  })
}

/** Analyzes the app and type with the most answers: about 20,000 in 30 days at 1,000,000 tasks. */
function compareAnalyses(context: Context, large: Measured, small: Measured): Promise<Result[]> {
  const showProgress = (text: string) => context.showProgress(`analysis, ${text}`)
  return runUntilConclusive(
    { ...context, showProgress },
    { min: 3, max: 5 },
    inTurns(large.analysis, small.analysis),
    (rounds) => [
      {
        what: 'analysis of the largest app and type',
        unit: 's',
        baselineIs: 'the same at 10,000 tasks',
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
 * Milliseconds of sequential requests, in ascending order. The two sizes alternate per request;
 * otherwise a disturbance of a second would affect the p95 of only one of them.
 */
async function latencies(
  { run }: Query,
  large: Measured,
  small: Measured,
  requests: number,
): Promise<Beside<number[]>> {
  const measured: Beside<number[]> = { product: [], baseline: [] }
  let n = 0
  const both = inTurns(
    () => run(large, n),
    () => run(small, n),
  )
  for (; n < requests; n++) {
    const { product, baseline } = await both()
    measured.product.push(product)
    measured.baseline.push(baseline)
  }
  const ascending = (one: number, other: number) => one - other
  return { product: measured.product.sort(ascending), baseline: measured.baseline.sort(ascending) }
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
      await waitUntilSettled(databaseUrl, workspaceId, context.showProgress)
    })
    const client = createHttpClient(service.url, 2)
    const send = (by: 'agent' | 'owner', path: string) => client.send('GET', `/api/v1${path}`, workspace[by])
    try {
      return await work({
        get: async (by, path) => (await send(by, path)).milliseconds,
        analysis: () => runAnalysis(client, workspace, largestAppAndType),
        taskIds: await someTaskIds(send),
        cursors: await someCursors(send),
      })
    } finally {
      client.close()
    }
  })
}

type Send = (by: 'agent' | 'owner', path: string) => ReturnType<HttpClient['send']>

/** The ids of tasks from the whole period, so that they are not adjacent. */
async function someTaskIds(send: Send): Promise<string[]> {
  const ids: string[] = []
  for (let days = 0; days < 90; days += 3) {
    const before = new Date(Date.now() - days * 86_400_000).toISOString()
    const { tasks } = JSON.parse((await send('agent', `/tasks?limit=10&createdBefore=${before}`)).text)
    ids.push(...tasks.map(({ taskId }: { taskId: string }) => taskId))
  }
  return ids
}

/** The cursors of the first five pages of the inbox, which people use most. */
async function someCursors(send: Send): Promise<string[]> {
  const cursors = ['']
  while (cursors.length < 5) {
    const { nextCursor } = JSON.parse((await send('owner', `/inbox?cursor=${cursors.at(-1)}`)).text)
    if (nextCursor === null) break
    cursors.push(nextCursor)
  }
  return cursors
}
