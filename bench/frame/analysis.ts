import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient } from './http-client.ts'
import type { BenchWorkspace } from './workspace.ts'

export type AnalysisTimes = {
  seconds: number
  /** The slowest /health during the analysis, in milliseconds. */
  slowestHealth: number
}

type AppAndType = { app: string; type: string }

const pollMilliseconds = 50

/** Runs one feedback analysis and calls /health meanwhile. */
export async function runAnalysis(
  client: HttpClient,
  { owner }: BenchWorkspace,
  appAndType: AppAndType,
): Promise<AnalysisTimes> {
  const startedAt = performance.now()
  await client.send('POST', '/api/v1/feedback-analyses', owner, appAndType)
  const ended = new AbortController()
  const slowestHealth = pollHealth(client, ended.signal)
  try {
    await waitUntilCompleted(client, owner, appAndType)
  } finally {
    ended.abort()
  }
  return { seconds: (performance.now() - startedAt) / 1000, slowestHealth: await slowestHealth }
}

async function waitUntilCompleted(
  client: HttpClient,
  owner: BenchWorkspace['owner'],
  appAndType: AppAndType,
): Promise<void> {
  const newest = `/api/v1/feedback-analyses?${new URLSearchParams({ ...appAndType, limit: '1' })}`
  for (;;) {
    const { text } = await client.send('GET', newest, owner)
    const { status } = JSON.parse(text).analyses[0]
    if (status === 'failed') throw new Error(text)
    if (status === 'completed') return
    await sleep(pollMilliseconds)
  }
}

async function pollHealth(client: HttpClient, ended: AbortSignal): Promise<number> {
  let slowest = 0
  while (!ended.aborted) {
    const { milliseconds } = await client.send('GET', '/health', {})
    slowest = Math.max(slowest, milliseconds)
    await sleep(Math.max(0, pollMilliseconds - milliseconds))
  }
  return slowest
}
