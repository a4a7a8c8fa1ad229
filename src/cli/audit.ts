import type { AuditVerdict } from '../contract/audit.ts'
import { damageMessages } from '../contract/audit-damage.ts'
import { compareHeads, type RecordedHead } from '../server/domain/audit/compare-heads.ts'
import { verifyAudit } from '../server/domain/audit/verify-audit.ts'
import type { Service } from '../server/domain/service.ts'
import { listWorkspaces } from '../server/domain/workspaces/operator.ts'
import { parseFlags, UsageError } from './arguments.ts'
import { type HeadInFile, readHeads } from './read-heads.ts'
import { findWorkspaceId, operator, print, withService } from './with-service.ts'

type BrokenEntry = NonNullable<AuditVerdict['firstBroken']>
type Against = { heads: number; firstBroken?: BrokenEntry }
type Verified = { workspaceId: string; name: string; against?: Against } & AuditVerdict

/** One chain per line; the exit code says whether all of them hold. */
export async function audit(argv: string[]): Promise<number> {
  const { flags, words } = parseFlags(argv, ['workspace', 'against'])
  if (words.length !== 1 || words[0] !== 'verify') throw new UsageError('Expected `audit verify`.')
  const kept = typeof flags.against === 'string' ? await readHeads(flags.against) : undefined
  const { workspaces, unknown } = await withService((service) =>
    verifyEach(service, flags.workspace as string | undefined, kept),
  )
  const ok = workspaces.every((verified) => verified.ok) && unknown.length === 0
  print(flags, { ok, workspaces, ...(kept && { unknownWorkspaces: unknown }) }, [
    ...workspaces.map(describe),
    ...unknown.map(
      (id) => `BROKEN  ${id}: ${flags.against} contains a head of it, and there is no such workspace.`,
    ),
    conclusion(ok, workspaces),
  ])
  return ok ? 0 : 1
}

function conclusion(ok: boolean, workspaces: Verified[]): string {
  if (workspaces.length === 0) return 'There is no workspace yet. Run handrail setup.'
  if (!ok)
    return 'Verification failed. Unless you restored an older backup or passed a file of another installation, someone changed the database: see docs/audit.md.'
  if (workspaces.every(({ against }) => against === undefined))
    return 'No damage found. To see also that no older state was put back, compare with a kept head: --against FILE.'
  return workspaces.some(({ against }) => against !== undefined && against.heads > 0)
    ? 'No damage found. All compared heads match.'
    : 'No damage found, but the file contains no head to compare with.'
}

async function verifyEach(service: Service, wanted: string | undefined, kept: HeadInFile[] | undefined) {
  const only = wanted === undefined ? undefined : await findWorkspaceId(service, wanted)
  const heads = kept && headsByWorkspace(kept, only)
  const toTheEnd = new AbortController().signal
  const workspaces: Verified[] = []
  for (const { id, name } of await listWorkspaces(service)) {
    if (only !== undefined && id !== only) continue
    const verdict = await verifyAudit(service, operator(id), toTheEnd)
    const against = heads && (await compare(service, id, heads.get(id) ?? []))
    heads?.delete(id)
    const ok = verdict.ok && !against?.firstBroken
    workspaces.push({ workspaceId: id, name, ...verdict, ok, ...(against && { against }) })
  }
  return { workspaces, unknown: heads ? [...heads.keys()] : [] }
}

async function compare(service: Service, workspaceId: string, heads: RecordedHead[]): Promise<Against> {
  const firstBroken = await compareHeads(service, operator(workspaceId), heads)
  return { heads: heads.length, ...(firstBroken && { firstBroken }) }
}

/** Entries of an export name no workspace: they are of the one that was asked for. */
function headsByWorkspace(kept: HeadInFile[], only: string | undefined): Map<string, RecordedHead[]> {
  const heads = new Map<string, RecordedHead[]>()
  for (const head of kept) {
    const workspaceId = head.workspaceId ?? only
    if (workspaceId === undefined)
      throw new UsageError('The file contains entries that name no workspace. Add --workspace.')
    if (only !== undefined && workspaceId !== only) continue
    const known = heads.get(workspaceId) ?? []
    heads.set(workspaceId, known)
    known.push({ ...head, workspaceId })
  }
  return heads
}

function describe({ workspaceId, name, head, ok, firstBroken, against, rows, chained }: Verified): string {
  const verdict = firstBroken
    ? `broken at entry ${firstBroken.seq}. ${damageMessages[firstBroken.what]}`
    : `${chained} chained ${chained === 1 ? 'entry' : 'entries'}, each as it was written.`
  const waiting = rows - chained
  return [
    `${ok ? 'ok    ' : 'BROKEN'}  ${workspaceId}  ${name}: ${verdict}`,
    ...(head ? [`        Head: ${head.seq} ${head.digest}`] : []),
    ...(against ? [`        ${comparison(against)}`] : []),
    ...(waiting > 0
      ? [`        Not chained yet: ${waiting}. A running service does it within a second or so.`]
      : []),
  ].join('\n')
}

const differences: Record<BrokenEntry['what'], string> = {
  ...damageMessages,
  missing: 'The chain has no such entry any more.',
  replaced: 'The chain has another entry there.',
  unsigned: 'The head in the file is not signed by this service.',
}

function comparison({ heads, firstBroken }: Against): string {
  if (firstBroken) return `Kept head ${firstBroken.seq}: ${differences[firstBroken.what]}`
  return heads === 0 ? 'The file contains no head of it.' : `Kept heads confirmed: ${heads}.`
}
