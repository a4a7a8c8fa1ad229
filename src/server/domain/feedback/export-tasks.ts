import type { ExportTasks } from '../../../contract/export.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { findMemberByEmail } from '../../storage/people/members.ts'
import {
  countHandledTasks,
  type HandledFilters,
  listHandledTasks,
} from '../../storage/tasks/handled-tasks.ts'
import type { PagePosition } from '../../storage/tasks/tasks.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import { invalidRequest } from '../problems.ts'
import type { Service } from '../service.ts'
import { readAllOutcomesByAdmins } from './action-outcomes.ts'
import { caseLines, findCases } from './export-cases.ts'
import { exportFormats } from './export-lines.ts'

const pageSize = 50
// Each case has two tasks.
const casesPerPage = pageSize / 2

export type Export = {
  total: number
  contentType: string
  fileName: string
  /** The parts of the file. Each is read when it is needed, in a transaction of its own. */
  parts: AsyncGenerator<string>
}

/**
 * Exports the matching tasks that were handled before the export began, oldest first. With the
 * format `cases`, exports pairs of tasks of the latest analysis instead.
 */
export async function exportTasks(
  service: Service,
  actor: PersonActor,
  { format, ...wanted }: ExportTasks,
): Promise<Export> {
  requireRole(actor, 'admin')
  if (format === 'cases') return await exportCases(service, actor, wanted)
  const { finding, ...query } = wanted
  if (finding !== undefined)
    throw invalidRequest([{ path: 'finding', message: 'Applies only if format is cases.' }])
  const { database } = service
  const { workspaceId } = actor
  const { contentType, extension, head, lines } = exportFormats[format]
  const { filters, total, outcomeByAdminOf } = await database.inWorkspace(workspaceId, async (tx) => {
    const now = (await readClock(tx)).toISOString()
    const filters: HandledFilters = {
      ...query,
      handledBefore:
        query.handledBefore !== undefined && query.handledBefore < now ? query.handledBefore : now,
    }
    // Entries of the audit log are never changed, so they contain ids of people instead of
    // addresses.
    const person = query.handledBy === undefined ? undefined : await findMemberByEmail(tx, query.handledBy)
    const details = {
      format,
      ...query,
      ...(query.handledBy !== undefined && {
        handledBy: person?.userId ?? describeNonMember(query.handledBy),
      }),
    }
    await recordExport(tx, actor, details)
    return {
      filters,
      total: await countHandledTasks(tx, filters),
      outcomeByAdminOf: await readAllOutcomesByAdmins(tx, { app: query.app, type: query.type }),
    }
  })

  async function* parts(): AsyncGenerator<string> {
    if (head !== '') yield head
    let after: PagePosition | undefined
    for (;;) {
      const rows = await database.inWorkspace(workspaceId, (tx) =>
        listHandledTasks(tx, filters, after, pageSize),
      )
      const text = rows.map((row) => lines({ ...row, outcomeByAdmin: outcomeByAdminOf(row) })).join('')
      if (text !== '') yield text
      const last = rows.at(-1)
      if (!last) return
      after = { at: last.endedAt!.toISOString(), id: last.id }
    }
  }

  const fileName = `handrail-${format}-${filters.handledBefore.slice(0, 10)}.${extension}`
  return { total, contentType, fileName, parts: parts() }
}

/**
 * What the audit log contains instead of the address of a person who is not a member. Deadlines and
 * rules answer as service:timeout and service:rule, which are not addresses and stay.
 */
function describeNonMember(handledBy: string): string {
  return handledBy.startsWith('service:') ? handledBy : 'not a current member'
}

/** Exports the pairs of tasks of the latest analysis, as fixtures for regression tests. */
async function exportCases(
  { database }: Service,
  actor: PersonActor,
  query: Omit<ExportTasks, 'format'>,
): Promise<Export> {
  const { workspaceId } = actor
  const { cases, now } = await database.inWorkspace(workspaceId, async (tx) => {
    const cases = await findCases(tx, query)
    await recordExport(tx, actor, { format: 'cases', ...query })
    return { cases, now: (await readClock(tx)).toISOString() }
  })

  async function* parts(): AsyncGenerator<string> {
    for (let i = 0; i < cases.length; i += casesPerPage) {
      const page = cases.slice(i, i + casesPerPage)
      const text = await database.inWorkspace(workspaceId, (tx) => caseLines(tx, page))
      if (text !== '') yield text
    }
  }

  const { contentType, extension } = exportFormats.jsonl
  const fileName = `handrail-cases-${now.slice(0, 10)}.${extension}`
  return { total: cases.length, contentType, fileName, parts: parts() }
}

async function recordExport(tx: Transaction, actor: PersonActor, details: Record<string, unknown>) {
  await appendAudit(tx, {
    actor: actor.id,
    from: actor.from,
    action: 'tasks.exported',
    subject: actor.workspaceId,
    details,
  })
}
