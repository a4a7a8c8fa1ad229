import { createHttpClient, type HttpClient } from '../frame/http-client.ts'
import { type Context, quantile, type Result, type Row, spread } from '../frame/row.ts'
import { runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { type BenchService, withService } from '../frame/service.ts'
import { task } from '../frame/task.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'

const operations = ['create', 'answer', 'inbox page'] as const
type Operation = (typeof operations)[number]

type Case = {
  name: string
  slug: string
  policies?: (ownerEmail: string) => object[]
  /** The n-th of ten rules matches tasks whose order number is at least this. */
  ruleFrom?: (n: number) => number
  /** Targets for the time of an operation, as a ratio to the first case. */
  atMost?: Partial<Record<Operation, number>>
}

/** A workspace per case, whose tasks are all of `task.task.type`. Each is compared with the first. */
const cases: Case[] = [
  { name: 'no policy', slug: 'none' },
  {
    name: '10 policies, none matches',
    slug: 'other',
    // Tasks that no policy matches are handled as in a workspace without policies.
    atMost: { create: 1.1, answer: 1.1, 'inbox page': 1.1 },
    policies: () => Array.from({ length: 10 }, (_, n) => ({ type: `type-${n}`, needed: 2 })),
  },
  {
    name: 'a policy without a review',
    slug: 'target-time',
    policies: () => [{ type: task.task.type, answerWithinMinutes: 60 }],
  },
  {
    name: 'a review that needs 1',
    slug: 'review',
    policies: (ownerEmail) => [{ type: task.task.type, by: [ownerEmail] }],
  },
  { name: '10 rules, none matches', slug: 'rules', atMost: { create: 1.15 }, ruleFrom: (n) => 1_000_000 + n },
  {
    // People approve what the rule would decline, so that it never answers by itself and all tasks
    // still reach them.
    name: '10 rules, the last matches',
    slug: 'match',
    atMost: { create: 1.15 },
    ruleFrom: (n) => (n === 9 ? 1 : 1_000_000 + n),
  },
]

/** The median milliseconds of each operation, in the order of the cases. */
type Round = Record<Operation, number[]>

export const policies: Row = {
  name: 'policies',
  about:
    'create a task, answer it and read a page of the inbox, in workspaces with and without policies and rules',
  run: (context) =>
    withService(async (service) => {
      const client = createHttpClient(service.url)
      try {
        const workspaces: BenchWorkspace[] = []
        for (const one of cases) workspaces.push(await setUpCase(service, client, one))
        const round = () => measureRound(client, workspaces, context.quick ? 50 : 200)
        context.showProgress('warming up')
        for (let warm = 0; warm < 3; warm++) await round()
        return await compare(context, round)
      } finally {
        client.close()
      }
    }),
}

async function compare(context: Context, round: () => Promise<Round>): Promise<Result[]> {
  const bounds = context.quick ? { min: 5, max: 15 } : { min: 10, max: 30 }
  return await runUntilConclusive(context, bounds, round, (rounds) =>
    operations.flatMap((operation) =>
      cases.slice(1).map(({ name, atMost }, index): Result => {
        const value = atMost?.[operation]
        const of = (n: number) => rounds.map((round) => round[operation][n]!)
        const [product, baseline] = [of(index + 1), of(0)]
        return {
          what: `${operation}, ${name}`,
          unit: 'ms',
          product: spread(product),
          baseline: spread(baseline),
          baselineIs: 'the same in a workspace without policies and rules',
          ratio: spread(product.map((milliseconds, n) => milliseconds / baseline[n]!)),
          ...(value !== undefined && { targets: [{ of: 'ratio', is: 'at most', value }] }),
        }
      }),
    ),
  )
}

async function setUpCase(
  service: BenchService,
  client: HttpClient,
  { slug, policies, ruleFrom }: Case,
): Promise<BenchWorkspace> {
  const workspace = await setUpWorkspace(service, slug)
  for (const policy of policies?.(workspace.ownerEmail) ?? [])
    await client.send('POST', '/api/v1/policies', workspace.owner, policy)
  if (ruleFrom) {
    // The answer of a rule must fit the form of the newest task with its action, so there must be
    // one.
    await client.send('POST', '/api/v1/tasks', workspace.agent, task)
    for (let n = 0; n < 10; n++)
      await client.send('POST', '/api/v1/rules', workspace.owner, {
        name: `Rule ${n}`,
        type: task.task.type,
        when: [{ field: 'order', is: 'atLeast', value: ruleFrom(n) }],
        answer: { actionId: 'decline', data: { reason: 'Too late.' } },
        until: new Date(Date.now() + 86_400_000).toISOString(),
      })
  }
  return workspace
}

/** One request at a time, in turn for each workspace, so that all of them see the same machine load. */
async function measureRound(client: HttpClient, workspaces: BenchWorkspace[], times: number): Promise<Round> {
  const ids = workspaces.map((): string[] => [])
  const repeat = async (once: (workspace: BenchWorkspace, n: number, at: number) => Promise<number>) => {
    const taken = workspaces.map((): number[] => [])
    for (let at = 0; at < times; at++) {
      for (let turn = 0; turn < workspaces.length; turn++) {
        const n = (at + turn) % workspaces.length
        taken[n]!.push(await once(workspaces[n]!, n, at))
      }
    }
    return taken.map((milliseconds) =>
      quantile(
        milliseconds.sort((a, b) => a - b),
        0.5,
      ),
    )
  }
  const create = await repeat(async ({ agent }, n) => {
    const { text, milliseconds } = await client.send('POST', '/api/v1/tasks', agent, task)
    ids[n]!.push(JSON.parse(text).taskId)
    return milliseconds
  })
  const page = await repeat(
    async ({ owner }) => (await client.send('GET', '/api/v1/inbox?limit=50', owner)).milliseconds,
  )
  const answer = await repeat(async ({ owner }, n, at) => {
    const path = `/api/v1/tasks/${ids[n]![at]}/handle`
    return (await client.send('POST', path, owner, { actionId: 'approve', data: {} })).milliseconds
  })
  return { create, answer, 'inbox page': page }
}
