import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
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
            if (process.platform === 'linux') memory.push(megabytesOf(service.pid))
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

/** Of a process and all that it started; a page that several share counts in parts. Linux tells, others do not. */
function megabytesOf(pid: number): number {
  const kilobytes = family(pid).map((member) => {
    const pss = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${member}/smaps_rollup`, 'utf8'))?.[1]
    return Number(pss)
  })
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}

function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const)
  const childrenOf = (parent: number): number[] =>
    parents.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...childrenOf(child)])
  return [pid, ...childrenOf(pid)]
}

/** Behind the name in brackets, which may hold anything, come the state and the parent. */
function parentOf(pid: string): number {
  try {
    return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return Number.NaN // it has ended meanwhile
  }
}
