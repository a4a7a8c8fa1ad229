import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateAnswers, periodEnd, periodStart } from '../../../../test/support/generated-answers.ts'
import {
  brokenResponses,
  complaint,
  good,
  harmlessResponses,
  injection,
  lies,
  type World,
} from '../../../../test/support/hostile-completions.ts'
import { complete } from '../../lib/event-loop.ts'
import { createLogger } from '../../lib/logger.ts'
import { createRandom } from '../demo/random.ts'
import type { AnalysisInput, AnalystTexts } from './analyst.ts'
import { createBuiltInAnalyst } from './built-in-analyst.ts'
import { createFigures } from './figures.ts'
import { healthOf } from './health.ts'
import { createLanguageModelAnalyst } from './language-model-analyst.ts'

const negativeShares: Record<World, (share: number) => number> = {
  'not healthy': () => 0.5,
  healthy: () => 0.04,
  worse: (share) => (share < 0.5 ? 0.05 : 0.6),
}

function inputOf(world: World): AnalysisInput {
  const random = createRandom(7)
  const answers = generateAnswers({
    random,
    n: world === 'worse' ? 200 : 80,
    answer: (_, share) => ({
      ...(world === 'worse' && { version: share < 0.5 ? '1.0' : '1.1' }),
      ...(random.chance(negativeShares[world](share))
        ? {
            actionId: 'service:reject-request',
            data: { feedback: random.chance(0.5) ? injection : complaint },
          }
        : { actionId: 'approve' }),
    }),
  })
  const collected = createFigures()
  for (const answer of answers) collected.add(answer)
  const figures = complete(collected.finish())
  const health = healthOf(figures)
  return { app: 'shop', type: 'refund', periodStart, periodEnd, figures, health, urlOf: (id) => id }
}

const inputs = {
  'not healthy': inputOf('not healthy'),
  healthy: inputOf('healthy'),
  worse: inputOf('worse'),
}

/** The word of the fence is random. */
const comparable = ({ summary, recommendation, agentInstructions }: AnalystTexts) => ({
  summary,
  recommendation,
  agentInstructions: agentInstructions.replace(/DATA [0-9a-f]{24}/g, 'DATA'),
})

/** The names have other numbers in each prompt. */
function withNumbers(completion: string, prompt: string): string {
  const [figures, findings] = prompt.split('BEGIN DATA')[0]!.split('What the tests claim:') as [
    string,
    string,
  ]
  const outside = figures.match(/\[\d+\]/g)!.find((number) => !findings.includes(number))
  return completion
    .replace('[outside]', outside ?? 'none')
    .replace('[current]', /Version (\[\d+\]), which runs now/.exec(findings)?.[1] ?? 'none')
    .replace('[advised]', /Version (\[\d+\]) was better/.exec(findings)?.[1] ?? 'none')
}

describe('a hostile or lying completion is refused or harmless', () => {
  let server: Server
  let baseUrl: string
  let prompt: string
  let respond: (response: ServerResponse) => void
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      prompt = JSON.parse(body).messages[1].content
      respond(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const write = (world: World, timeoutMilliseconds = 5_000) =>
    createLanguageModelAnalyst({
      ...{ provider: 'openai', baseUrl, apiKey: 'secret-key', model: 'thinker-1' },
      log: createLogger('silent'),
      timeoutMilliseconds,
    })(inputs[world], new AbortController().signal)

  async function expectBuiltIn(world: World, texts: AnalystTexts) {
    expect(texts.note).toMatch(/^The language model did not write this: .*\. These are the built-in texts\.$/)
    expect(texts.note).not.toMatch(/evil|obey|http/i)
    expect(texts.analyst).toBe('built-in')
    expect(comparable(texts)).toEqual(comparable(await createBuiltInAnalyst()(inputs[world])))
  }

  test('the worlds are what their names say', () => {
    expect(inputs['not healthy'].health.isHealthy).toBe(false)
    expect(inputs.healthy.health).toMatchObject({ isHealthy: true, tooFew: false })
    expect(inputs.worse.figures.current).toMatchObject({ verdict: 'worse', goBackTo: '1.0' })
  })

  // Otherwise a refusal would prove nothing.
  test.each<[World, Partial<typeof good>]>([
    ['not healthy', {}],
    ['not healthy', { insights: 'It is not healthy: Half of the answers are negative, which nobody wants.' }],
    ['not healthy', { recommendation: 'Do not roll back: the release is not the cause of any of this.' }],
    ['not healthy', { insights: 'Nothing changed in the share of negative answers over time.' }],
    ['healthy', { insights: 'It is healthy, and the people who answer are satisfied.' }],
    ['healthy', { insights: 'There is no urgent problem, and no need for an urgent change.' }],
    ['worse', { recommendation: 'Compare both, and roll back to [advised] if the cause is not found.' }],
  ])('an honest completion is used (%s, %o)', async (world, texts) => {
    respond = say({ ...good, insights: 'Most negative answers name the same cause.', ...texts })
    const written = await write(world)
    expect(written.note).toBeUndefined()
    expect(written.analyst).toBe('thinker-1')
  })

  const say = (completion: unknown) => (response: ServerResponse) => {
    const content = withNumbers(JSON.stringify(completion), prompt)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { content } }] }))
  }

  test('there are more than fifty, with different names', () => {
    const names = [
      ...lies.map(({ name }) => name),
      ...Object.keys(brokenResponses),
      ...Object.keys(harmlessResponses),
    ]
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(50)
  })

  test.each(lies)('refused: $name', async ({ name: _, world = 'not healthy', ...texts }) => {
    respond = say({ ...good, insights: 'Most negative answers name the same cause.', ...texts })
    await expectBuiltIn(world, await write(world))
  })

  test.each(Object.entries(brokenResponses))('refused: %s', async (_, response) => {
    respond = response
    await expectBuiltIn('not healthy', await write('not healthy', 1_000))
  })

  test.each(Object.entries(harmlessResponses))('harmless: %s', async (_, response) => {
    respond = response
    const texts = await write('not healthy')
    expect(texts.note).toBeUndefined()
    expect(texts.analyst).toBe('thinker-1')
    expect(JSON.stringify(texts).replaceAll('evil[.]example', '')).not.toMatch(/evil|obey/i)
    expect(({} as Record<string, unknown>).note).toBeUndefined()
  })
})
