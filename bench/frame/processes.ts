import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

// What Linux tells of processes; elsewhere rows leave these lines out.

export const processesAreTold = process.platform === 'linux'

/** Memory that would be free without them; a page that several share counts in parts. */
export function kilobytesOf(pids: number[]): number {
  return pids
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]))
    .reduce((sum, value) => sum + value, 0)
}

/** Processor time so far, in seconds. */
export function cpuSecondsOf(pids: number[]): number {
  // In ticks, of which there are 100 a second wherever it matters: fields 14 to 17, its own and that of children which have ended.
  const ticks = pids.flatMap((pid) => fieldsOf(pid).slice(11, 15).map(Number))
  return ticks.reduce((sum, value) => sum + value, 0) / 100
}

/** A process and all that it started. */
export function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(Number(name))] as const)
  const childrenOf = (parent: number): number[] =>
    parents.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...childrenOf(child)])
  return [pid, ...childrenOf(pid)]
}

function parentOf(pid: number): number {
  try {
    return Number(fieldsOf(pid)[1])
  } catch {
    return Number.NaN // it has ended meanwhile
  }
}

/** From the third field on: before it comes the name in brackets, which may hold anything. */
function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(') ') + 2).split(' ')
}

/** How many files a process started from here may hold open. */
export function openFilesLimit(): number {
  const told = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  return told === 'unlimited' ? Number.POSITIVE_INFINITY : Number(told)
}
