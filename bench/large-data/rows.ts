import { documentWords } from '../../src/server/storage/tasks/search-words.ts'
import { line } from './copy-rows.ts'
import { type InventedTask, timeOrdered } from './invented-task.ts'

export type Person = { id: string; email: string }

/** Tables in the order they are filled, with the columns of their COPY rows. */
export const columns = {
  tasks:
    'id workspace_id thread_id status app type name description version priority delivery created_by created_at ' +
    'updated_at ended_at action_id action_title answer handled_by handled_by_id decided_by via cancel_reason ' +
    'update_count latest_update_id answer_by',
  task_contents: 'task_id workspace_id context actions',
  task_search: 'task_id workspace_id created_at document',
  task_updates: 'id workspace_id task_id thread_id message level created_at',
  events: 'epoch xid workspace_id event_id type task_id thread_id body created_at',
  audit_log: 'id workspace_id at actor action subject details',
} as const

export type Table = keyof typeof columns
export type Rows = Record<Table, string[]>

export function emptyRows(): Rows {
  return { tasks: [], task_contents: [], task_search: [], task_updates: [], events: [], audit_log: [] }
}

const day = 86_400_000
const createdBy = 'key_00000000000000000000000000'
const contents =
  '{"data":{"order":4711,"text":"The parcel came back."},"ui":{"text":{"ui:widget":"markdown"}}}'
const actions =
  '[{"id":"approve","title":"Approve"},{"id":"decline","title":"Decline","schema":{"type":"object",' +
  '"properties":{"reason":{"type":"string"}},"required":["reason"]}}]'

/** Adds the i-th task with its content, search words and updates. */
export function addRows(rows: Rows, task: InventedTask, i: number, person: Person | undefined): void {
  const { id, workspaceId, threadId, status, name, type } = task
  const created = task.createdAt.toISOString()
  const ended = task.endedAt?.toISOString() ?? null
  const ifHandled = (value: string) => (status === 'handled' ? value : null)
  const updateIds = Array.from({ length: task.updates }, (_, n) => `upd_${timeOrdered(i, n)}`)
  rows.tasks.push(
    line([
      id,
      workspaceId,
      threadId,
      status,
      task.app,
      type,
      name,
      task.description,
      task.version,
      task.priority,
      'poll',
      createdBy,
      created,
      ended ?? created,
      ended,
      task.actionId,
      task.actionId,
      ifHandled('{"reason":"Too late"}'),
      person?.email ?? null,
      person?.id ?? null,
      ifHandled('human'),
      ifHandled('web'),
      status === 'cancelled' ? 'no longer needed' : null,
      task.updates,
      updateIds.at(-1) ?? null,
      i % 3 === 0 ? new Date(task.createdAt.getTime() + day).toISOString() : null,
    ]),
  )
  rows.task_contents.push(line([id, workspaceId, contents, actions]))
  const words = documentWords(workspaceId, type, name, task.description)
  rows.task_search.push(line([id, workspaceId, created, `'${words.join("' '")}'`]))
  for (const updateId of updateIds)
    rows.task_updates.push(line([updateId, workspaceId, id, threadId, `About ${name}`, 'info', created]))
}

/**
 * Adds the events of a task. They belong to an older epoch, as in a restored database, so that each
 * can have its own transaction id; in the current epoch all would need that of the filling
 * transaction.
 */
export function addEvents(rows: Rows, task: InventedTask, i: number, person: Person | undefined): void {
  const { id, workspaceId, threadId, status, name, app, type } = task
  const add = (order: number, kind: string, at: Date, body: object) => {
    const number = i * 2 + order
    const position = [0, number, workspaceId, `evt_${timeOrdered(at.getTime(), number)}`]
    rows.events.push(
      line([...position, `service/task_${kind}`, id, threadId, JSON.stringify(body), at.toISOString()]),
    )
  }
  add(0, 'created', task.createdAt, { name, snippet: name, app, type, priority: 'normal', delivery: 'poll' })
  if (task.endedAt === null) return
  const action = { id: task.actionId, title: task.actionId, data: {} }
  add(1, status, task.endedAt, status === 'handled' ? { action, handledBy: person?.email } : {})
}

/** Adds the audit entry of a task's end, if it has ended. */
export function addAudit(rows: Rows, task: InventedTask, i: number, person: Person | undefined): void {
  if (task.endedAt === null) return
  const { id, workspaceId, status } = task
  const at = task.endedAt.toISOString()
  const auditId = `aud_${timeOrdered(task.endedAt.getTime(), i)}`
  rows.audit_log.push(line([auditId, workspaceId, at, person?.id ?? createdBy, `task.${status}`, id, null]))
}
