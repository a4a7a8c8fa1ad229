import type { AuditVerdict, BrokenEntry } from '../contract/audit.ts'
import { damageMessages } from '../contract/audit-damage.ts'
import { compareHeads, type RecordedHead } from '../server/domain/audit/compare-heads.ts'
import { verifyAudit } from '../server/domain/audit/verify-audit.ts'
import type { Service } from '../server/domain/service.ts'
import { listWorkspaces, operator } from '../server/domain/workspaces/operator.ts'
import { parseArguments, UsageError } from './arguments.ts'
import { type HeadInFile, readHeads } from './read-heads.ts'
import { findWorkspaceId, print, withService } from './with-service.ts'

type HeadComparison = { heads: number; firstBroken?: BrokenEntry }
type Verified = { workspaceId: string; name: string; against?: HeadComparison } & AuditVerdict

/** Prints the verdict on each chain. The exit code is 1 if one is damaged or a saved head does not match. */
export async function audit(argv: string[]): Promise<number> {
  const { flags, positionals } = parseArguments(argv, ['workspace', 'against'])
  if (positionals.length !== 1 || positionals[0] !== 'verify')
    throw new UsageError('Expected `audit verify`.')
  const savedHeads = typeof flags.against === 'string' ? await readHeads(flags.against) : undefined
  const { workspaces, unknown } = await withService((service) =>
    verifyEach(service, flags.workspace as string | undefined, savedHeads),
  )
  const ok = workspaces.every((verified) => verified.ok) && unknown.length === 0
  print(flags, { ok, workspaces, ...(savedHeads && { unknownWorkspaces: unknown }) }, [
    ...workspaces.map(describe),
    ...unknown.map(
      (id) =>
        `BROKEN  ${id}: ${flags.against} contains a head of this workspace, but this installation has no such workspace.`,
    ),
    conclusion(ok, workspaces),
  ])
  return ok ? 0 : 1
}

function conclusion(ok: boolean, workspaces: Verified[]): string {
  if (!ok)
    return 'Verification failed. Unless you restored an older backup or passed a file of another installation, someone changed the database: see docs/audit.md.'
  if (workspaces.length === 0) return 'There is no workspace yet. Run handrail setup.'
  if (workspaces.every(({ against }) => against === undefined))
    return 'No damage found. To also detect that an older state was restored, compare with saved heads: --against FILE.'
  return workspaces.some(({ against }) => against !== undefined && against.heads > 0)
    ? 'No damage found. All compared heads match.'
    : 'No damage found, but the file contains no head to compare with.'
}

async function verifyEach(
  service: Service,
  wanted: string | undefined,
  savedHeads: HeadInFile[] | undefined,
) {
  const only = wanted === undefined ? undefined : await findWorkspaceId(service, wanted)
  const heads = savedHeads && headsByWorkspace(savedHeads, only)
  const neverAborted = new AbortController().signal
  const workspaces: Verified[] = []
  for (const { id, name } of await listWorkspaces(service)) {
    if (only !== undefined && id !== only) continue
    const verdict = await verifyAudit(service, operator(id), neverAborted)
    const against = heads && (await compare(service, id, heads.get(id) ?? []))
    heads?.delete(id)
    const ok = verdict.ok && !against?.firstBroken
    workspaces.push({ workspaceId: id, name, ...verdict, ok, ...(against && { against }) })
  }
  return { workspaces, unknown: heads ? [...heads.keys()] : [] }
}

async function compare(
  service: Service,
  workspaceId: string,
  heads: RecordedHead[],
): Promise<HeadComparison> {
  const firstBroken = await compareHeads(service, operator(workspaceId), heads)
  return { heads: heads.length, ...(firstBroken && { firstBroken }) }
}

/** Entries of an audit export name no workspace: they belong to the workspace chosen with --workspace. */
function headsByWorkspace(savedHeads: HeadInFile[], only: string | undefined): Map<string, RecordedHead[]> {
  const heads = new Map<string, RecordedHead[]>()
  for (const head of savedHeads) {
    const workspaceId = head.workspaceId ?? only
    if (workspaceId === undefined)
      throw new UsageError('The file contains entries without a workspace. Choose one with --workspace.')
    if (only !== undefined && workspaceId !== only) continue
    const known = heads.get(workspaceId) ?? []
    heads.set(workspaceId, known)
    known.push({ ...head, workspaceId })
  }
  return heads
}

const chainedSoon = ' A running service chains them within about a second.'

function describe({ workspaceId, name, head, ok, firstBroken, against, rows, chained }: Verified): string {
  const verdict = firstBroken
    ? `broken at entry ${firstBroken.seq}. ${damageMessages[firstBroken.what]}`
    : `${chained} chained ${chained === 1 ? 'entry' : 'entries'}, consistent with the signed head.`
  const waiting = rows - chained
  return [
    `${ok ? 'ok    ' : 'BROKEN'}  ${workspaceId}  ${name}: ${verdict}`,
    ...(head ? [`        Head: ${head.seq} ${head.digest}`] : []),
    ...(against ? [`        ${describeComparison(against)}`] : []),
    ...(waiting > 0 ? [`        Not chained yet: ${waiting}.${ok ? chainedSoon : ''}`] : []),
  ].join('\n')
}

const differenceMessages: Record<BrokenEntry['what'], string> = {
  ...damageMessages,
  missing: 'The chain no longer contains this entry.',
  replaced: 'The chain contains another entry at this position.',
  unsigned: 'The head in the file was not signed by this service.',
}

function describeComparison({ heads, firstBroken }: HeadComparison): string {
  if (firstBroken) return `Saved head ${firstBroken.seq}: ${differenceMessages[firstBroken.what]}`
  return heads === 0 ? 'The file contains no head of this workspace.' : `Saved heads confirmed: ${heads}.`
}
