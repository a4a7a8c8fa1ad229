import type { AuditVerdict } from '../contract/audit.ts'
import { damageInWords } from '../contract/audit-damage.ts'
import { verifyAudit } from '../server/domain/audit/verify-audit.ts'
import type { Service } from '../server/domain/service.ts'
import { listWorkspaces } from '../server/domain/workspaces/operator.ts'
import { readFlags, UsageError } from './arguments.ts'
import { findWorkspaceId, operator, print, withService } from './with-service.ts'

type Verified = { workspaceId: string; name: string } & AuditVerdict

/** A chain a line; the exit code tells whether all hold. */
export async function audit(argv: string[]): Promise<number> {
  const { flags, words } = readFlags(argv, ['workspace'])
  if (words.length !== 1 || words[0] !== 'verify') throw new UsageError('Say verify.')
  const workspaces = await withService((service) =>
    verifyEach(service, flags.workspace as string | undefined),
  )
  const ok = workspaces.every((verified) => verified.ok)
  print(flags, { ok, workspaces }, [...workspaces.map(describe), conclusion(ok, workspaces.length)])
  return ok ? 0 : 1
}

function conclusion(ok: boolean, count: number): string {
  if (count === 0) return 'There is no workspace yet. Run handrail setup.'
  return ok
    ? 'Nothing is broken. A head that is noted elsewhere proves later that nothing before it was rewritten.'
    : 'Whoever did it could write to the database. Compare with an earlier export or a backup: see docs/audit.md.'
}

async function verifyEach(service: Service, wanted: string | undefined): Promise<Verified[]> {
  const only = wanted === undefined ? undefined : await findWorkspaceId(service, wanted)
  const toTheEnd = new AbortController().signal
  const verified: Verified[] = []
  for (const { id, name } of await listWorkspaces(service)) {
    if (only !== undefined && id !== only) continue
    verified.push({ workspaceId: id, name, ...(await verifyAudit(service, operator(id), toTheEnd)) })
  }
  return verified
}

function describe({ workspaceId, name, head, firstBroken, rows, chained }: Verified): string {
  const verdict = firstBroken
    ? `broken at entry ${firstBroken.seq}. ${damageInWords[firstBroken.what]}`
    : `${chained} chained ${chained === 1 ? 'entry' : 'entries'}, each as it was written.`
  const waiting = rows - chained
  return [
    `${firstBroken ? 'BROKEN' : 'ok    '}  ${workspaceId}  ${name}: ${verdict}`,
    ...(head ? [`        Head: ${head.seq} ${head.digest}`] : []),
    ...(waiting > 0
      ? [`        Not chained yet: ${waiting}. A running service does it within a second or so.`]
      : []),
  ].join('\n')
}
