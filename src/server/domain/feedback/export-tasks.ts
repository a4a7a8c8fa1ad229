import type { ExportTasks } from '../../../contract/export.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { findMemberByEmail } from '../../storage/people/members.ts'
import {
  countHandledTasks,
  type HandledFilters,
  listHandledTasks,
} from '../../storage/tasks/handled-tasks.ts'
import type { PagePosition } from '../../storage/tasks/tasks.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { readAllSetOutcomes } from './action-outcomes.ts'
import { exportFormats } from './export-lines.ts'

// Contexts may be half a MiB each, so pages are small.
const pageSize = 50

export type Export = {
  total: number
  contentType: string
  fileName: string
  /** Each part is read from the database on demand, in its own transaction. */
  parts: AsyncGenerator<string>
}

/** Handled tasks, oldest first, up to now. */
export async function exportTasks(
  { database }: Service,
  actor: PersonActor,
  { format, ...query }: ExportTasks,
): Promise<Export> {
  requireRole(actor, 'admin')
  const { workspaceId } = actor
  const { contentType, extension, head, lines } = exportFormats[format]
  const { filters, total, setOutcome } = await database.inWorkspace(workspaceId, async (tx) => {
    const now = (await readClock(tx)).toISOString()
    const filters: HandledFilters = {
      ...query,
      handledBefore:
        query.handledBefore !== undefined && query.handledBefore < now ? query.handledBefore : now,
    }
    // The audit is never changed, so it contains IDs rather than addresses.
    const person = query.handledBy === undefined ? undefined : await findMemberByEmail(tx, query.handledBy)
    const details = {
      format,
      ...query,
      ...(query.handledBy !== undefined && { handledBy: person?.userId ?? 'nobody here' }),
    }
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'tasks.exported',
      subject: workspaceId,
      details,
    })
    return {
      filters,
      total: await countHandledTasks(tx, filters),
      setOutcome: await readAllSetOutcomes(tx, { app: query.app, type: query.type }),
    }
  })

  async function* parts(): AsyncGenerator<string> {
    if (head !== '') yield head
    let after: PagePosition | undefined
    for (;;) {
      const rows = await database.inWorkspace(workspaceId, (tx) =>
        listHandledTasks(tx, filters, after, pageSize),
      )
      const text = rows.map((row) => lines({ ...row, setOutcome: setOutcome(row) })).join('')
      if (text !== '') yield text
      const last = rows.at(-1)
      if (rows.length < pageSize || !last) return
      after = { at: last.endedAt!.toISOString(), id: last.id }
    }
  }

  const fileName = `handrail-${format}-${filters.handledBefore.slice(0, 10)}.${extension}`
  return { total, contentType, fileName, parts: parts() }
}
