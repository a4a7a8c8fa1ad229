import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { locateBinaries } from '../../src/server/postgres/locate.ts'
import { currentUser } from '../../src/server/postgres/system-user.ts'

export type Machine = {
  cpu: string
  cores: number
  gigabytes: number
  node: string
  postgres: string
  /** The load average over the previous minute. */
  load: number
}

/** The properties of this machine that change the figures. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    gigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: locateBinaries(currentUser(), tmpdir(), undefined, () => undefined).version,
    load: loadavg()[0]!,
  }
}

export function isBusy({ load, cores }: Machine): boolean {
  return load > cores / 2
}
