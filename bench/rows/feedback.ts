import { type AnalysisTimes, runAnalysis } from '../frame/analysis.ts'
import { createHttpClient } from '../frame/http-client.ts'
import { beside, type Context, quantile, type Result, type Row, spread } from '../frame/row.ts'
import { inTurns, runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { withDatabase, withService } from '../frame/service.ts'
import { setUpWorkspace } from '../frame/workspace.ts'
import { fillAnswers } from '../large-data/fill-answers.ts'
import { waitUntilSettled } from '../large-data/wait-until-settled.ts'

type Measured = {
  /** The milliseconds of one request for the statistics of the app and type. */
  statistics(): Promise<number>
  analysis(): Promise<AnalysisTimes>
}

// As fill-answers.ts creates them.
const appAndType = { app: 'shop', type: 'refund' }

export const feedback: Row = {
  name: 'feedback',
  about:
    'statistics and analysis of 100,000 answers for one app and type (--quick: 20,000) compared with a tenth of them',
  run: (context) => {
    const answers = context.quick ? 20_000 : 100_000
    return withFilledService(context, answers, (large) =>
      withFilledService(context, answers / 10, async (small) => [
        ...(await compareStatistics(context, large, small)),
        ...(await compareAnalyses(context, large, small)),
      ]),
    )
  },
}

const baselineIs = 'the same with a tenth of the answers'

async function compareStatistics(context: Context, large: Measured, small: Measured): Promise<Result[]> {
  const requests = context.quick ? 30 : 100
  const measure = async ({ statistics }: Measured) => {
    const taken: number[] = []
    for (let n = 0; n < requests; n++) taken.push(await statistics())
    return taken.sort((a, b) => a - b)
  }
  const round = inTurns(
    () => measure(large),
    () => measure(small),
  )
  await round() // warms up
  return await runUntilConclusive(context, { min: 3, max: 11 }, round, (rounds) => [
    { what: 'statistics, p50', unit: 'ms', baselineIs, ...beside(rounds, (sorted) => quantile(sorted, 0.5)) },
    {
      what: 'statistics, p95',
      unit: 'ms',
      baselineIs,
      ...beside(rounds, (sorted) => quantile(sorted, 0.95)),
      targets: [
        { of: 'product', is: 'at most', value: 300 },
        { of: 'ratio', is: 'at most', value: 10 },
      ],
    },
  ])
}

async function compareAnalyses(context: Context, large: Measured, small: Measured): Promise<Result[]> {
  const round = inTurns(large.analysis, small.analysis)
  return await runUntilConclusive(context, { min: 3, max: 7 }, round, (rounds) => [
    {
      what: 'analysis',
      unit: 's',
      baselineIs,
      ...beside(rounds, ({ seconds }) => seconds),
      targets: [
        { of: 'product', is: 'at most', value: 10 },
        { of: 'ratio', is: 'at most', value: 10 },
      ],
    },
    {
      what: 'slowest /health meanwhile',
      unit: 'ms',
      product: spread(rounds.map(({ product }) => product.slowestHealth)),
      targets: [{ of: 'product', is: 'at most', value: 100 }],
    },
  ])
}

function withFilledService<T>(
  context: Context,
  answers: number,
  work: (measured: Measured) => Promise<T>,
): Promise<T> {
  return withService(async (service) => {
    const workspace = await setUpWorkspace(service)
    context.showProgress(`creating ${answers.toLocaleString('en')} answers`)
    await withDatabase(service, async (databaseUrl) => {
      await fillAnswers(databaseUrl, workspace.workspaceId, answers)
      await waitUntilSettled(databaseUrl, workspace.workspaceId, context.showProgress)
    })
    const client = createHttpClient(service.url, 2)
    try {
      return await work({
        statistics: async () => {
          const path = `/api/v1/statistics?${new URLSearchParams(appAndType)}`
          return (await client.send('GET', path, workspace.owner)).milliseconds
        },
        analysis: () => runAnalysis(client, workspace, appAndType),
      })
    } finally {
      client.close()
    }
  })
}
