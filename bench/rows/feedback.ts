import { setTimeout as sleep } from 'node:timers/promises'
import { alternately } from '../frame/alternately.ts'
import { createHttpClient } from '../frame/http-client.ts'
import { beside, type Context, quantile, type Result, type Row, spread } from '../frame/row.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { setUpWorkspace } from '../frame/workspace.ts'
import { fillAnswers } from '../large-data/fill-answers.ts'

type Place = {
  /** Milliseconds of the statistics page of the pair. */
  statistics(): Promise<number>
  /** Seconds of an analysis, and the longest that /health took meanwhile, in milliseconds. */
  analysis(): Promise<{ seconds: number; slowestHealth: number }>
}

const pair = 'app=shop&type=refund'

export const feedback: Row = {
  name: 'feedback',
  about:
    'statistics and analysis of 100,000 answers of one pair (--quick: 20,000) beside the same of a tenth',
  run: (context) => {
    const answers = context.quick ? 20_000 : 100_000
    return withPlace(context, answers, (large) =>
      withPlace(context, answers / 10, async (small) => [
        ...(await compareStatistics(context, large, small)),
        ...(await compareAnalyses(context, large, small)),
      ]),
    )
  },
}

const floorIs = 'the same with a tenth of the answers'

async function compareStatistics(context: Context, large: Place, small: Place): Promise<Result[]> {
  const requests = context.quick ? 30 : 100
  const measure = async ({ statistics }: Place) => {
    const taken: number[] = []
    for (let n = 0; n < requests; n++) taken.push(await statistics())
    return taken.sort((a, b) => a - b)
  }
  await measure(large)
  const rounds = await alternately(
    context,
    3,
    () => measure(large),
    () => measure(small),
  )
  const of = (share: number) =>
    beside(
      rounds.product.map((sorted) => quantile(sorted, share)),
      rounds.floor.map((sorted) => quantile(sorted, share)),
    )
  return [
    { what: 'statistics, p50', unit: 'ms', floorIs, ...of(0.5) },
    {
      what: 'statistics, p95',
      unit: 'ms',
      floorIs,
      ...of(0.95),
      targets: [
        { of: 'product', is: 'at most', value: 300 },
        { of: 'ratio', is: 'at most', value: 10 },
      ],
    },
  ]
}

async function compareAnalyses(context: Context, large: Place, small: Place): Promise<Result[]> {
  const rounds = await alternately(
    context,
    3,
    () => large.analysis(),
    () => small.analysis(),
  )
  return [
    {
      what: 'analysis',
      unit: 's',
      floorIs,
      ...beside(
        rounds.product.map(({ seconds }) => seconds),
        rounds.floor.map(({ seconds }) => seconds),
      ),
      targets: [
        { of: 'product', is: 'at most', value: 30 },
        { of: 'ratio', is: 'at most', value: 10 },
      ],
    },
    {
      what: 'slowest /health meanwhile',
      unit: 'ms',
      product: spread(rounds.product.map(({ slowestHealth }) => slowestHealth)),
      targets: [{ of: 'product', is: 'at most', value: 200 }],
    },
  ]
}

function withPlace<T>(context: Context, answers: number, work: (place: Place) => Promise<T>): Promise<T> {
  return withService(async (service) => {
    const { workspaceId, owner } = await setUpWorkspace(service)
    context.tell(`making ${answers.toLocaleString('en')} answers`)
    await withDatabase(service, (databaseUrl) => fillAnswers(databaseUrl, workspaceId, answers))
    const client = createHttpClient(service.url)
    const send = (method: 'GET' | 'POST', path: string, body?: object) =>
      client.send(method, `/api/v1${path}`, owner, body)
    try {
      return await work({
        statistics: async () => (await send('GET', `/statistics?${pair}`)).milliseconds,
        async analysis() {
          const began = performance.now()
          await send('POST', '/feedback-analyses', { app: 'shop', type: 'refund' })
          let slowestHealth = 0
          for (;;) {
            const { milliseconds } = await client.send('GET', '/health', {})
            slowestHealth = Math.max(slowestHealth, milliseconds)
            const { text } = await send('GET', `/feedback-analyses?${pair}&limit=1`)
            const { status } = JSON.parse(text).analyses[0]
            if (status === 'failed') throw new Error(text)
            if (status === 'completed') break
            await sleep(20)
          }
          return { seconds: (performance.now() - began) / 1000, slowestHealth }
        },
      })
    } finally {
      client.close()
    }
  })
}
