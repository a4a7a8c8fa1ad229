import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient } from './http-client.ts'
import type { BenchWorkspace } from './workspace.ts'

export type Analysed = { seconds: number; slowestHealth: number }

const healthMilliseconds = 50

/** Runs one analysis. Returns its duration and the slowest /health during it, in milliseconds. */
export async function analyse(
  client: HttpClient,
  { owner }: BenchWorkspace,
  pair: { app: string; type: string },
): Promise<Analysed> {
  const startedAt = performance.now()
  await client.send('POST', '/api/v1/feedback-analyses', owner, pair)
  const over = new AbortController()
  const slowestHealth = pollHealth(client, over.signal)
  try {
    await completed(client, owner, pair)
  } finally {
    over.abort()
  }
  return { seconds: (performance.now() - startedAt) / 1000, slowestHealth: await slowestHealth }
}

async function completed(
  client: HttpClient,
  owner: BenchWorkspace['owner'],
  pair: { app: string; type: string },
): Promise<void> {
  const newest = `/api/v1/feedback-analyses?${new URLSearchParams({ ...pair, limit: '1' })}`
  for (;;) {
    const { text } = await client.send('GET', newest, owner)
    const { status } = JSON.parse(text).analyses[0]
    if (status === 'failed') throw new Error(text)
    if (status === 'completed') return
    await sleep(healthMilliseconds)
  }
}

async function pollHealth(client: HttpClient, over: AbortSignal): Promise<number> {
  let slowest = 0
  while (!over.aborted) {
    const { milliseconds } = await client.send('GET', '/health', {})
    slowest = Math.max(slowest, milliseconds)
    await sleep(Math.max(0, healthMilliseconds - milliseconds))
  }
  return slowest
}
