import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

// Figures of processes come from /proc, which only Linux has. Elsewhere rows omit them or do not
// run.

export const canReadProcesses = process.platform === 'linux'

/**
 * Proportional memory (PSS) of the processes: each page counts divided by the number of processes
 * that share it.
 */
export function kilobytesOf(pids: number[]): number {
  return pids
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]))
    .reduce((sum, value) => sum + value, 0)
}

/** CPU time of the processes so far, in seconds. */
export function cpuSecondsOf(pids: number[]): number {
  // Fields 14 to 17 are the time of the process and of its ended children, in ticks of 10 ms.
  const ticks = pids.flatMap((pid) => fieldsOf(pid).slice(11, 15).map(Number))
  return ticks.reduce((sum, value) => sum + value, 0) / 100
}

/** CPU time so far of the threads that a process has now, in milliseconds, to the nanosecond. */
export function cpuMillisecondsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6
}

/** A process and its descendants. */
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
    return Number.NaN // it has exited
  }
}

/** The fields from the third on, after the name, which is in brackets and may contain any characters. */
function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(') ') + 2).split(' ')
}

/** The hard limit of open files, to which Node raises its own limit when it starts. */
export function openFilesLimit(): number {
  const output = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  return output === 'unlimited' ? Number.POSITIVE_INFINITY : Number(output)
}
