import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskRecord } from '../../src/contract/task.ts'
import type { Caller } from '../support/http.ts'
import type { ReadEvent } from '../support/inbox-reader.ts'
import type { Received } from '../support/receiver.ts'
import { moveClock } from '../support/rows.ts'
import type { Acknowledged } from './acknowledged.ts'
import type { Follower } from './follower.ts'

export type Verdict = {
  /** Sentences about broken promises. */
  broken: string[]
  /** How much was checked. */
  counts: {
    created: number
    handled: number
    cancelled: number
    updated: number
    conflicts: number
    events: number
  }
  connections: number
}

/** Compares what was acknowledged to clients, what followers read, and what the service returns now. */
export async function checkPromises(facts: {
  acknowledged: Acknowledged
  followers: Follower[]
  agent: Caller
  lastTaskId: string
}): Promise<Verdict> {
  const { acknowledged, agent, lastTaskId } = facts
  const broken = acknowledged.unexpected.map((one) => `an unexpected response: ${JSON.stringify(one)}`)
  const records = await readAllTasks(agent)
  broken.push(...checkRecords(acknowledged, records))

  const [whole, ...others] = facts.followers.map((follower) => ({
    since: follower.since,
    seen: cutAfter(follower.seen(), lastTaskId),
  }))
  broken.push(...checkOrder(whole!.seen), ...checkEvents(acknowledged, records, whole!.seen))
  for (const [round, later] of others.entries()) {
    const problems = checkLaterReader(acknowledged, whole!.seen, later)
    broken.push(...problems.map((problem) => `the reader of round ${round} ${problem}`))
  }
  const { created, handled, cancelled, updated, conflicts } = acknowledged
  return {
    broken,
    counts: {
      created: created.length,
      handled: handled.length,
      cancelled: cancelled.length,
      updated: updated.length,
      conflicts: conflicts.length,
      events: whole!.seen.length,
    },
    connections: facts.followers[0]!.connections(),
  }
}

export async function readAllTasks(agent: Caller): Promise<Map<string, TaskRecord>> {
  const records = new Map<string, TaskRecord>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await agent.get(`/tasks?limit=100&cursor=${encodeURIComponent(cursor)}`)
    for (const { taskId } of body.tasks) {
      records.set(taskId, (await agent.get(`/tasks/${taskId}?include=updates`)).body)
    }
    cursor = body.nextCursor
  }
  return records
}

/** Every end of a task reaches its receiver at least once, always with the same event id, and nothing else does. */
export async function checkDeliveries(
  records: Map<string, TaskRecord>,
  received: Received[],
  databaseUrl: string,
): Promise<string[]> {
  const expected = [...records.values()].filter(
    ({ status, delivery }) => status !== 'open' && delivery === 'callback',
  )
  const readEvents = () =>
    received.map(({ headers, body }): { id: unknown; type: string; taskId: string } => {
      const { type, taskId } = JSON.parse(body)
      return { id: headers['webhook-id'], type, taskId }
    })
  const areAllDelivered = () => {
    const delivered = new Set(readEvents().map(({ taskId }) => taskId))
    return expected.every(({ taskId }) => delivered.has(taskId))
  }
  // The deliveries of a killed process are claimed again after their lease has expired; failed ones
  // are due later.
  const deadline = Date.now() + 90_000
  while (!areAllDelivered() && Date.now() < deadline) {
    await moveClock(databaseUrl, '1 minute')
    await sleep(500)
  }
  const events = readEvents()
  const typeById = new Map(expected.map(({ taskId, status }) => [taskId, `service/task_${status}`]))
  const broken = expected.flatMap((task) => {
    const ofTask = events.filter(({ taskId }) => taskId === task.taskId)
    const { size } = new Set(ofTask.map(({ id }) => id))
    return size === 1 ? [] : [`the end of ${task.taskId} was delivered with ${size} event ids`]
  })
  const unexpected = events.filter(({ taskId, type }) => typeById.get(taskId) !== type)
  return [...broken, ...unexpected.map(({ taskId, type }) => `${taskId} was delivered as ${type}`)]
}

function checkRecords(acknowledged: Acknowledged, records: Map<string, TaskRecord>): string[] {
  const broken: string[] = []
  const compare = (what: string, taskId: string, promised: unknown, found: unknown) => {
    if (!same(promised, found)) {
      broken.push(
        `${what} ${taskId} was acknowledged as ${JSON.stringify(promised)} and is ${JSON.stringify(found)}`,
      )
    }
  }
  for (const { taskId, name, metadata } of acknowledged.created) {
    const record = records.get(taskId)
    compare('task', taskId, { name, metadata }, record && { name: record.name, metadata: record.metadata })
  }
  for (const { taskId, handled } of acknowledged.handled)
    compare('answer', taskId, handled, records.get(taskId)?.handled)
  for (const { taskId, reason } of acknowledged.cancelled)
    compare('cancellation', taskId, reason, records.get(taskId)?.cancelled?.reason)
  for (const { taskId, updateId, message } of acknowledged.updated) {
    const found = records.get(taskId)?.updates?.filter((update) => update.updateId === updateId)
    compare(
      'update',
      taskId,
      [message],
      found?.map((update) => update.message),
    )
  }
  for (const { taskId, taskStatus, handledBy, handledAt, actionId } of acknowledged.conflicts) {
    const { status, handled } = records.get(taskId) ?? {}
    compare(
      'conflict',
      taskId,
      [taskStatus, handledBy, handledAt, actionId],
      [status, handled?.handledBy, handled?.handledAt, handled?.actionId],
    )
  }
  // A call that was retried until its outcome was known created one task.
  const names = [...records.values()].map(({ name }) => name)
  for (const name of names.filter((one, i) => names.indexOf(one) !== i))
    broken.push(`there are several tasks named ${name}`)
  return broken
}

/** What was acknowledged and no longer exists. */
export function findLost(acknowledged: Acknowledged, records: Map<string, TaskRecord>): string[] {
  return [
    ...acknowledged.created
      .filter(({ taskId }) => !records.has(taskId))
      .map(({ taskId }) => `task ${taskId}`),
    ...acknowledged.handled
      .filter(({ taskId, handled }) => !same(handled, records.get(taskId)?.handled))
      .map(({ taskId }) => `answer of ${taskId}`),
    ...acknowledged.cancelled
      .filter(({ taskId, reason }) => records.get(taskId)?.cancelled?.reason !== reason)
      .map(({ taskId }) => `cancellation of ${taskId}`),
    ...acknowledged.updated
      .filter(
        ({ taskId, updateId }) => !records.get(taskId)?.updates?.some((one) => one.updateId === updateId),
      )
      .map(({ taskId }) => `update of ${taskId}`),
  ]
}

/** One event per change, and no event without a change. */
function checkEvents(
  acknowledged: Acknowledged,
  records: Map<string, TaskRecord>,
  seen: ReadEvent[],
): string[] {
  const expected = [...records.values()].flatMap(({ taskId, status, updates = [] }) => [
    `service/task_created ${taskId}`,
    ...updates.map(({ message }) => `service/task_updated ${taskId} ${message}`),
    ...(status === 'open' ? [] : [`service/task_${status} ${taskId}`]),
  ])
  const found = seen.map(({ event }) =>
    [event.type, event.taskId, ...(event.update ? [event.update.message] : [])].join(' '),
  )
  const changes =
    acknowledged.created.length +
    acknowledged.handled.length +
    acknowledged.cancelled.length +
    acknowledged.updated.length
  return [
    ...difference(expected, found).map((fact) => `the reader did not see ${fact}`),
    ...difference(found, expected).map((fact) => `the reader saw too often ${fact}`),
    ...(found.length < changes ? [`${changes} acknowledged changes, but only ${found.length} events`] : []),
  ]
}

/** A reader that started later saw the rest of what the first one saw, and everything after its start. */
function checkLaterReader(
  acknowledged: Acknowledged,
  whole: ReadEvent[],
  { since, seen }: { since: number; seen: ReadEvent[] },
) {
  const broken: string[] = []
  if (!same(whole.slice(whole.length - seen.length), seen)) broken.push('has a gap or a repeat')
  const known = new Set(seen.map(({ event }) => event.taskId))
  for (const { taskId, startedAt } of acknowledged.created)
    if (startedAt > since && !known.has(taskId)) broken.push(`did not see ${taskId}`)
  return broken
}

export function checkOrder(seen: ReadEvent[]): string[] {
  const broken: string[] = []
  for (const [i, { cursor }] of seen.entries()) {
    const before = seen[i - 1]?.cursor
    if (before !== undefined && !isBefore(before, cursor)) broken.push(`${cursor} arrived after ${before}`)
  }
  return broken
}

function isBefore(one: string, other: string): boolean {
  const [a, b] = [one, other].map((cursor) => cursor.split('.').map(BigInt))
  const at = a!.findIndex((part, i) => part !== b![i])
  return at !== -1 && a![at]! < b![at]!
}

function cutAfter(seen: ReadEvent[], taskId: string): ReadEvent[] {
  return seen.slice(0, seen.findLastIndex(({ event }) => event.taskId === taskId) + 1)
}

/** Items that `one` contains more often than `other`. */
function difference(one: string[], other: string[]): string[] {
  const left = new Map<string, number>()
  for (const item of other) left.set(item, (left.get(item) ?? 0) + 1)
  return one.filter((item) => {
    const count = left.get(item) ?? 0
    left.set(item, count - 1)
    return count <= 0
  })
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
