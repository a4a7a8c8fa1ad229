import { answeredByDeadline, answeredByRule } from '../../../contract/answered-by.ts'
import type { Edits } from '../../../contract/edits/edits-of.ts'
import type { TaskCancelledEvent, TaskExpiredEvent, TaskHandledEvent } from '../../../contract/event.ts'
import type { Presented } from '../../../contract/task-answer.ts'
import { newId } from '../../lib/ids.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { type Ending, endTaskWaitingForLock, type HandledEnding } from '../../storage/tasks/end-task.ts'
import { findTaskContent, type TaskRow } from '../../storage/tasks/tasks.ts'
import type { Actor, PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'
import { handledByVerifiedField } from './handled-by-verified.ts'

/** An answer: the chosen action, and the data of its form. */
export type ActionAnswer = {
  id: string
  title: string
  data: Record<string, unknown>
  presented?: Presented | undefined
  edits?: Edits | undefined
  bulkId?: string | undefined
}

/** The person who answered, the deadline, or a rule. */
export type Decider =
  | Pick<PersonActor, 'email' | 'emailVerified' | 'id' | 'from' | 'via'>
  | 'timeout'
  | { ruleId: string }

const maxPresentedCharacters = 2_000

/** The fields of a decider that is not a person. */
const noPerson = { emailVerified: undefined, id: undefined, from: undefined }

function describe(decider: Decider) {
  if (decider === 'timeout')
    return { ...noPerson, decidedBy: 'timeout', email: answeredByDeadline, via: 'timeout' } as const
  if ('ruleId' in decider)
    return {
      ...noPerson,
      decidedBy: 'rule',
      email: answeredByRule,
      via: 'rule',
      ruleId: decider.ruleId,
    } as const
  return { ...decider, decidedBy: 'human' } as const
}

/** The fields of a task that its event and its deliveries need. */
export type EndedTask = Pick<
  TaskRow,
  | 'id'
  | 'threadId'
  | 'app'
  | 'type'
  | 'name'
  | 'version'
  | 'revision'
  | 'metadata'
  | 'traceparent'
  | 'tracestate'
  | 'pushesToMcp'
  | 'callbackUrl'
>

export function handledEnding(task: EndedTask, answer: ActionAnswer, decider: Decider): HandledEnding {
  const by = describe(decider)
  const rule = 'ruleId' in by && { ruleId: by.ruleId }
  const event: Omit<TaskHandledEvent, 'handledAt'> = {
    eventId: newId('event'),
    type: 'service/task_handled',
    taskId: task.id,
    status: 'handled',
    action: { id: answer.id, title: answer.title, data: answer.data },
    handledBy: by.email,
    ...handledByVerifiedField(by.emailVerified),
    decidedBy: by.decidedBy,
    ...rule,
    via: by.via,
    ...(answer.edits && { edits: answer.edits.edits }),
    revision: task.revision,
    ...taskFields(task),
  }
  return {
    task,
    revision: task.revision,
    fields: {
      status: 'handled',
      actionId: answer.id,
      actionTitle: answer.title,
      data: answer.data,
      decidedBy: by.decidedBy,
      handledBy: by.email,
      handledById: by.id,
      handledByVerified: by.emailVerified,
      via: by.via,
      presented: answer.presented,
      edits: answer.edits?.edits,
      editLevel: answer.edits?.level,
      bulkId: answer.bulkId,
    },
    eventId: event.eventId,
    type: event.type,
    body: event,
    timestampField: 'handledAt',
    deliveries: deliveriesOf(task),
    audit: {
      actor: by.id ?? 'service',
      from: by.from,
      action: 'task.handled',
      details: {
        actionId: answer.id,
        revision: task.revision,
        ...rule,
        ...(answer.presented !== undefined && presentedInAudit(answer.presented)),
      },
    },
  }
}

/**
 * A sender that cancels its own task is not notified in its MCP session. The callback URL is called
 * all the same, because another program may receive the callback.
 */
export function cancelledEnding(task: TaskRow, reason: string | undefined, actor: Actor): Ending {
  const event: Omit<TaskCancelledEvent, 'cancelledAt'> = {
    eventId: newId('event'),
    type: 'service/task_cancelled',
    taskId: task.id,
    status: 'cancelled',
    ...(reason !== undefined && { reason }),
    ...taskFields(task),
  }
  return {
    task,
    revision: undefined,
    fields: { status: 'cancelled', reason },
    eventId: event.eventId,
    type: event.type,
    body: event,
    timestampField: 'cancelledAt',
    deliveries: deliveriesOf({ ...task, pushesToMcp: task.pushesToMcp && actor.id !== task.createdBy }),
    audit: { actor: actor.id, from: actor.from, action: 'task.cancelled' },
  }
}

/**
 * Whether the deadline answers the task with `onExpire`. A task with a question without a reply
 * expires instead, because somebody wanted to know more before answering.
 */
export function decidesAtDeadline({ onExpire, openQuestionCount }: TaskRow): boolean {
  return onExpire !== null && openQuestionCount === 0
}

/**
 * Answers the task with `onExpire`, or expires it. The caller has locked the thread. Returns
 * undefined if the deadline has not passed or the task had already ended.
 */
export async function endAtDeadline(
  { metrics }: Service,
  tx: Transaction,
  task: TaskRow,
): Promise<Date | undefined> {
  const ending = await endingAtDeadline(tx, task)
  const endedAt = await endTaskWaitingForLock(tx, ending)
  if (endedAt) tx.afterCommit(() => metrics.tasksEnded.inc({ status: ending.fields.status }))
  return endedAt
}

async function endingAtDeadline(tx: Transaction, task: TaskRow): Promise<Ending> {
  if (decidesAtDeadline(task)) {
    const { actionId, data } = task.onExpire!
    const content = await findTaskContent(tx, task.id)
    const action = content?.actions.find((candidate) => candidate.id === actionId)
    if (action) return handledEnding(task, { id: action.id, title: action.title, data }, 'timeout')
  }
  const event: Omit<TaskExpiredEvent, 'expiredAt'> = {
    eventId: newId('event'),
    type: 'service/task_expired',
    taskId: task.id,
    status: 'expired',
    ...taskFields(task),
  }
  return {
    task,
    revision: undefined,
    fields: { status: 'expired' },
    eventId: event.eventId,
    type: event.type,
    body: event,
    timestampField: 'expiredAt',
    deliveries: deliveriesOf(task),
    audit: { actor: 'service', from: undefined, action: 'task.expired' },
  }
}

/** The deliveries of an event of this task, which are queued in the transaction of the event. */
export function deliveriesOf({
  pushesToMcp,
  callbackUrl,
}: Pick<TaskRow, 'pushesToMcp' | 'callbackUrl'>): Ending['deliveries'] {
  return [
    ...(pushesToMcp ? [{ kind: 'sse' as const, url: undefined }] : []),
    ...(callbackUrl !== null ? [{ kind: 'callback' as const, url: callbackUrl }] : []),
  ]
}

/**
 * Audit entries are never deleted, so the names of form fields, which are content, are replaced
 * with their digests. A list that would make the entry long is replaced with one digest.
 */
function presentedInAudit(presented: Presented) {
  const fields = Object.entries(presented).map(([field, shown]) => ({
    fieldSha256: sha256Hex(field),
    ...shown,
  }))
  const text = JSON.stringify(fields)
  return text.length <= maxPresentedCharacters ? { presented: fields } : { presentedSha256: sha256Hex(text) }
}

export function taskFields(
  task: EndedTask,
): Pick<TaskHandledEvent, 'task' | 'metadata' | 'traceparent' | 'tracestate'> {
  return {
    task: {
      app: task.app,
      type: task.type,
      name: task.name,
      ...(task.version !== null && { version: task.version }),
      threadId: task.threadId,
    },
    ...(task.metadata !== null && { metadata: task.metadata }),
    ...(task.traceparent !== null && { traceparent: task.traceparent }),
    ...(task.tracestate !== null && { tracestate: task.tracestate }),
  }
}
