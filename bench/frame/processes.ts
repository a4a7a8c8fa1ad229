import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

// From /proc, which only Linux has; elsewhere rows omit these figures.

export const processesAreTold = process.platform === 'linux'

/** Proportional memory of the processes: a shared page counts in parts. */
export function kilobytesOf(pids: number[]): number {
  return pids
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]))
    .reduce((sum, value) => sum + value, 0)
}

/** CPU time so far, in seconds. */
export function cpuSecondsOf(pids: number[]): number {
  // In ticks of 10 ms: fields 14 to 17 are its own time and that of its ended children.
  const ticks = pids.flatMap((pid) => fieldsOf(pid).slice(11, 15).map(Number))
  return ticks.reduce((sum, value) => sum + value, 0) / 100
}

/** CPU time of all threads of a process so far, in milliseconds, to the nanosecond. */
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

/** The fields after the name, which is in brackets and may contain any characters. */
function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(') ') + 2).split(' ')
}

/** The maximum number of open files of a child process. */
export function openFilesLimit(): number {
  const output = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  return output === 'unlimited' ? Number.POSITIVE_INFINITY : Number(output)
}
