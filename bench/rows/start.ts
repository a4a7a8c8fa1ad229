import { setTimeout as sleep } from 'node:timers/promises'
import { family, kilobytesOf, processesAreTold } from '../frame/processes.ts'
import { type Result, type Row, spread, type Target } from '../frame/row.ts'
import { type BenchService, startService, withDataDir } from '../frame/service.ts'

const idleSeconds = 5

export const start: Row = {
  name: 'start',
  about: 'from the command until /health answers 200, the first time and later; memory at rest',
  async run({ quick, tell }) {
    const first: number[] = []
    const later: number[] = []
    const memory: number[] = []
    const rounds = quick ? 2 : 5
    for (let round = 0; round < rounds; round++) {
      tell(`round ${round + 1} of ${rounds}`)
      await withDataDir(async (dataDir) => {
        first.push(await timed(dataDir, () => Promise.resolve()))
        later.push(
          await timed(dataDir, async (service) => {
            await sleep(idleSeconds * 1000)
            if (processesAreTold) memory.push(kilobytesOf(family(service.pid)) / 1024)
          }),
        )
      })
    }
    return [
      line('first start ever', 's', first, 5),
      line('later start', 's', later, 2),
      ...(memory.length > 0 ? [line('memory at rest, with its PostgreSQL (PSS)', 'MB', memory, 250)] : []),
    ]
  },
}

function line(what: string, unit: string, rounds: number[], atMost: number): Result {
  const target: Target = { of: 'product', is: 'at most', value: atMost }
  return { what, unit, product: spread(rounds), targets: [target] }
}

/** Seconds until /health is good. Then the work, then an orderly stop. */
async function timed(dataDir: string, work: (service: BenchService) => Promise<void>): Promise<number> {
  const began = performance.now()
  const service = await startService(dataDir)
  try {
    const health = await fetch(`${service.url}/health`)
    if (health.status !== 200) throw new Error(`/health answered ${health.status}: ${await health.text()}`)
    const seconds = (performance.now() - began) / 1000
    await work(service)
    return seconds
  } finally {
    await service.stop()
  }
}
