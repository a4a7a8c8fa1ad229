import { setTimeout as sleep } from 'node:timers/promises'
import { canReadProcesses, family, kilobytesOf } from '../frame/processes.ts'
import { type Result, type Row, spread } from '../frame/row.ts'
import { runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { type BenchService, startService, withDataDir } from '../frame/service.ts'

const idleSeconds = 5

export const start: Row = {
  name: 'start',
  about: 'from the command until /health returns 200, the first time and later; memory at rest',
  run: (context) =>
    runUntilConclusive(
      context,
      context.quick ? { min: 2, max: 5 } : { min: 5, max: 11 },
      startTwice,
      (rounds) => [
        line(
          'first start ever',
          's',
          5,
          rounds.map(({ first }) => first),
        ),
        line(
          'later start',
          's',
          2,
          rounds.map(({ later }) => later),
        ),
        ...(canReadProcesses
          ? [
              line(
                'memory at rest, with its PostgreSQL (PSS)',
                'MB',
                250,
                rounds.map(({ megabytes }) => megabytes),
              ),
            ]
          : []),
      ],
    ),
}

function line(what: string, unit: string, atMost: number, rounds: number[]): Result {
  return { what, unit, product: spread(rounds), targets: [{ of: 'product', is: 'at most', value: atMost }] }
}

function startTwice(): Promise<{ first: number; later: number; megabytes: number }> {
  return withDataDir(async (dataDir) => {
    const first = await timed(dataDir, () => Promise.resolve())
    let megabytes = 0
    const later = await timed(dataDir, async ({ pid }) => {
      if (!canReadProcesses) return
      await sleep(idleSeconds * 1000)
      megabytes = kilobytesOf(family(pid)) / 1024
    })
    return { first, later, megabytes }
  })
}

/**
 * Starts a service, runs `work` and stops the service. Returns the seconds from the start until
 * /health returned 200.
 */
async function timed(dataDir: string, work: (service: BenchService) => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  const service = await startService(dataDir)
  try {
    const health = await fetch(`${service.url}/health`)
    if (health.status !== 200) throw new Error(`/health returned ${health.status}: ${await health.text()}`)
    const seconds = (performance.now() - startedAt) / 1000
    await work(service)
    return seconds
  } finally {
    await service.stop()
  }
}
