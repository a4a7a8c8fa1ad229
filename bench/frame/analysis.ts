import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient } from './http-client.ts'
import type { BenchWorkspace } from './workspace.ts'

export type Analysed = { seconds: number; slowestHealth: number }

/** Runs one analysis. Returns its duration and the slowest /health during it, in milliseconds. */
export async function analyse(
  client: HttpClient,
  { owner }: BenchWorkspace,
  pair: { app: string; type: string },
): Promise<Analysed> {
  const startedAt = performance.now()
  await client.send('POST', '/api/v1/feedback-analyses', owner, pair)
  const newest = `/api/v1/feedback-analyses?${new URLSearchParams({ ...pair, limit: '1' })}`
  let slowestHealth = 0
  for (;;) {
    const { milliseconds } = await client.send('GET', '/health', {})
    slowestHealth = Math.max(slowestHealth, milliseconds)
    const { text } = await client.send('GET', newest, owner)
    const { status } = JSON.parse(text).analyses[0]
    if (status === 'failed') throw new Error(text)
    if (status === 'completed') return { seconds: (performance.now() - startedAt) / 1000, slowestHealth }
    await sleep(20)
  }
}
