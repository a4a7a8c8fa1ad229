import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpClient } from '../frame/http-client.ts'
import { toolCall } from '../frame/mcp.ts'
import { type Context, type Result, type Row, spread } from '../frame/row.ts'
import { runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { withService } from '../frame/service.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'
import { milliseconds, type Part } from '../hostile/check-genome.ts'
import { climb } from '../hostile/climb.ts'
import type { Genome } from '../hostile/grow-form.ts'
import { type HostileRequest, hostileRequests } from '../hostile/requests.ts'
import { worstFinds } from '../hostile/worst-finds.ts'
import { createRandom } from '../large-data/random.ts'

export const worstRequest: Row = {
  name: 'worst-request',
  about: 'the slowest form or answer that a search finds, and /health during hostile requests',
  run: async (context) => [...(await searchForms(context)), ...(await watchHealth(context))],
}

/** Each round searches with another seed and also measures earlier finds. */
async function searchForms(context: Context): Promise<Result[]> {
  const seconds = context.quick ? 5 : 30
  let seed = 0
  const round = async () => {
    seed++
    const slowest = (part: Part) => {
      const end = performance.now() + (seconds * 1000) / 2
      const score = (genome: Genome) => milliseconds(genome, part)
      const find = climb(createRandom(seed), score, () => performance.now() < end)
      const known = worstFinds.filter((one) => one.part === part).map(({ genome }) => genome)
      // Measured again, because a score in the search may come from a busy machine.
      const finds = [find.genome, ...known].map((genome) => ({ genome, score: score(genome) }))
      const worst = finds.reduce((one, other) => (other.score > one.score ? other : one))
      context.showProgress(`${part}: ${worst.score.toFixed(0)} ms for ${JSON.stringify(worst.genome)}`)
      return worst.score
    }
    return { forms: slowest('forms'), answer: slowest('answer') }
  }
  return await runUntilConclusive(context, { min: 3, max: 7 }, round, (rounds) => [
    line(
      'slowest check of the forms of a task',
      100,
      rounds.map(({ forms }) => forms),
    ),
    line(
      'slowest check of an answer',
      100,
      rounds.map(({ answer }) => answer),
    ),
  ])
}

function line(what: string, value: number, rounds: number[]): Result {
  return { what, unit: 'ms', product: spread(rounds), targets: [{ of: 'product', is: 'at most', value }] }
}

function watchHealth(context: Context): Promise<Result[]> {
  return withService(async ({ url, ...service }) => {
    const workspace = await setUpWorkspace({ url, ...service })
    const requests = hostileRequests()
    const round = async () => {
      let slowest = { name: '', milliseconds: 0 }
      for (const request of requests) {
        const taken = await slowestHealth(url, () => send(url, workspace, request))
        if (taken > slowest.milliseconds) slowest = { name: request.name, milliseconds: taken }
      }
      context.showProgress(`/health took ${slowest.milliseconds.toFixed(0)} ms during: ${slowest.name}`)
      return slowest.milliseconds
    }
    // Warms up: the first round would include compilation.
    await round()
    return await runUntilConclusive(context, { min: 3, max: 9 }, round, (rounds) => [
      line('slowest /health during hostile requests', 200, rounds),
    ])
  })
}

/** Milliseconds of the slowest /health during the work, requested continuously. */
async function slowestHealth(url: string, work: () => Promise<void>): Promise<number> {
  const client = createHttpClient(url)
  let isDone = false
  let slowest = 0
  const watching = (async () => {
    while (!isDone) {
      slowest = Math.max(slowest, (await client.send('GET', '/health', {})).milliseconds)
      await sleep(2)
    }
  })()
  try {
    await work()
  } finally {
    isDone = true
    await watching
    client.close()
  }
  return slowest
}

/**
 * Sends a body over REST and as a tool call, or creates a task and answers it. Most are rejected;
 * none may break the service.
 */
async function send(url: string, { agent, owner }: BenchWorkspace, request: HostileRequest): Promise<void> {
  const post = async (path: string, headers: Record<string, string>, body: string) => {
    const json = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers: { ...json, ...headers }, body })
    const text = await response.text()
    if (response.status >= 500)
      throw new Error(`${request.name}: ${path} returned ${response.status}: ${text}`)
    return text
  }
  if ('body' in request) {
    await post('/api/v1/tasks', agent, request.body)
    // Inserted as text, because parsing it would lose duplicate names.
    const call = toolCall('2026', 'send_to_human', '#')
    await post(
      '/mcp',
      { ...agent, ...call.headers },
      call.body.replace('"#"', () => request.body),
    )
    return
  }
  const { taskId } = JSON.parse(await post('/api/v1/tasks', agent, JSON.stringify(request.task)))
  const answer = JSON.stringify({ actionId: 'a0', data: request.answer })
  if (taskId) await post(`/api/v1/tasks/${taskId}/handle`, owner, answer)
}
