import { answeredByDeadline } from '../../../contract/answered-by.ts'
import { editsOf } from '../../../contract/edits/edits-of.ts'
import { priorities } from '../../../contract/task-fields.ts'
import { newId } from '../../lib/ids.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { readClock } from '../../storage/engine/read-clock.ts'
import { listMembers, type MemberRow } from '../../storage/people/members.ts'
import { hasTasks, insertPastTasks, lockPastTasks, type PastTask } from '../../storage/tasks/past-tasks.ts'
import type { OperatorActor } from '../actor.ts'
import { DomainProblem } from '../problems.ts'
import type { Service } from '../service.ts'
import { addSampleConversations, pastConversation } from './conversations.ts'
import { createSampleOpenTasks, type SampleOpenTask } from './open-tasks.ts'
import { createRandom } from './random.ts'
import { createSampleMonth, type SampleTask } from './sample-month.ts'

/**
 * Invented people who answer besides the members. They cannot sign in and exist only in their
 * answers.
 */
const colleagues = ['noor@northwind.example', 'dana@northwind.example']
// With this seed, an analysis finds reply drafts healthy and refunds not healthy, on whatever
// weekday and at whatever hour the command runs.
const seed = 11

export type FilledWorkspace = {
  ended: number
  open: number
  /** Of the open tasks, those that the inbox does not count, because they wait for the agent. */
  waitingForAgent: number
  pairs: { app: string; type: string; tasks: number }[]
  people: string[]
  statisticsUrl: string
  inboxUrl: string
}

/**
 * Fills an empty workspace with sample tasks, in one transaction: tasks of the last 30 days that
 * have ended, and open tasks.
 */
export async function fillWithSamples(
  { database, publicUrl }: Service,
  actor: OperatorActor,
): Promise<FilledWorkspace> {
  const { workspaceId } = actor
  const { now, members } = await database.inWorkspace(workspaceId, async (tx) => ({
    now: await readClock(tx),
    members: await listMembers(tx),
  }))
  const random = createRandom(seed)
  const people = [...members.map(({ email }) => email), ...colleagues]
  const ended = createSampleMonth(random, now, people)
  const open = createSampleOpenTasks(random, now)
  const tasks = [
    ...ended.map((task) => endedTask(task, actor, members)),
    ...open.map((task) => taskRow(task, actor)),
  ]

  const waitingForAgent = await database.inWorkspace(workspaceId, async (tx) => {
    await lockPastTasks(tx)
    if (await hasTasks(tx)) {
      throw new DomainProblem(
        'invalid_request',
        'This workspace already has tasks, and sample tasks would mix with them. Create another workspace with `handrail setup` and pass it with --workspace.',
      )
    }
    await insertPastTasks(tx, tasks)
    const waiting = members[0] ? await addSampleConversations(tx, tasks, members[0]) : 0
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'workspace.demo_filled',
      subject: workspaceId,
      details: { tasks: tasks.length },
    })
    return waiting
  })
  return {
    ended: ended.length,
    open: open.length,
    waitingForAgent,
    pairs: countAppsAndTypes(ended),
    people,
    statisticsUrl: `${publicUrl}/w/${workspaceId}/statistics`,
    inboxUrl: `${publicUrl}/w/${workspaceId}/inbox`,
  }
}

function endedTask(
  { payload, createdAt, ending }: SampleTask,
  actor: OperatorActor,
  members: MemberRow[],
): PastTask {
  const question = ending.status === 'handled' ? ending.question : undefined
  const answered = question?.revised ?? payload
  const row = {
    ...taskRow({ payload: answered, createdAt, updates: [] }, actor),
    status: ending.status,
    endedAt: ending.at,
  }
  if (ending.status === 'expired') return { ...row, expiresAt: ending.at }
  if (ending.status === 'cancelled') return { ...row, cancelReason: ending.reason }
  const { actionId, actionTitle, data, presented = null, by } = ending
  const member = members.find(({ email }) => email === by)
  // A question has the id of the member who asked, and invented people have none.
  const asker = member ?? members[0]
  const action = answered.actions.find(({ id }) => id === actionId)
  const compared =
    action && by !== answeredByDeadline ? editsOf(action, answered.context?.data, data) : undefined
  return {
    ...row,
    ...(question && asker && pastConversation(payload, question, createdAt, ending.at, asker)),
    actionId,
    actionTitle,
    answer: data,
    presented,
    edits: compared?.edits ?? null,
    editLevel: compared?.level ?? null,
    handledBy: by,
    handledById: member?.userId ?? null,
    decidedBy: by === answeredByDeadline ? 'timeout' : 'human',
    via: by === answeredByDeadline ? 'timeout' : 'web',
  }
}

/** The row of an open task. `endedTask` adds how it ended. */
function taskRow({ payload, createdAt, updates }: SampleOpenTask, actor: OperatorActor): PastTask {
  const { task, expiresInSeconds, onExpire } = payload
  const id = newId('task', createdAt.getTime())
  return {
    id,
    threadId: payload.threadId ?? id,
    status: 'open',
    app: payload.app ?? 'default',
    type: (task.type ?? payload.type)!,
    name: task.name,
    description: task.description,
    version: payload.version ?? null,
    priority: priorities.indexOf(payload.priority ?? 'normal'),
    createdBy: actor.id,
    createdAt,
    expiresAt:
      expiresInSeconds === undefined ? null : new Date(createdAt.getTime() + expiresInSeconds * 1_000),
    onExpire: onExpire ? { actionId: onExpire.actionId, data: onExpire.data ?? {} } : null,
    acceptsQuestions: payload.acceptsQuestions ?? false,
    endedAt: null,
    actionId: null,
    actionTitle: null,
    answer: null,
    handledBy: null,
    handledById: null,
    decidedBy: null,
    via: null,
    presented: null,
    edits: null,
    editLevel: null,
    cancelReason: null,
    context: payload.context ?? null,
    actions: payload.actions,
    updates: updates.map(({ message, level = 'info', progress = null, at }) => ({
      id: newId('update', at.getTime()),
      message,
      level,
      progress,
      createdAt: at,
    })),
    questions: [],
    revisions: [],
  }
}

function countAppsAndTypes(tasks: SampleTask[]): FilledWorkspace['pairs'] {
  const pairs = new Map<string, FilledWorkspace['pairs'][number]>()
  for (const { payload } of tasks) {
    const [app, type] = [payload.app!, payload.task.type!]
    const pair = pairs.get(`${app} ${type}`) ?? { app, type, tasks: 0 }
    pair.tasks++
    pairs.set(`${app} ${type}`, pair)
  }
  return [...pairs.values()].sort((a, b) => b.tasks - a.tasks)
}
