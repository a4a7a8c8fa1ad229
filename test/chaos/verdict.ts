import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskRecord } from '../../src/contract/task.ts'
import type { Caller } from '../support/http.ts'
import type { ReadEvent } from '../support/inbox-reader.ts'
import type { Received } from '../support/receiver.ts'
import { moveClock } from '../support/rows.ts'
import type { Told } from './acknowledged.ts'
import type { Follower } from './follower.ts'

export type Verdict = {
  /** Sentences about promises that were broken. */
  broken: string[]
  /** How much there was to break. */
  counts: {
    created: number
    handled: number
    cancelled: number
    updated: number
    lost: number
    events: number
  }
  connections: number
}

/** Compares what clients were told, what followers read, and what is there. */
export async function judge(facts: {
  told: Told
  followers: Follower[]
  agent: Caller
  lastTaskId: string
}): Promise<Verdict> {
  const { told, agent, lastTaskId } = facts
  const broken = told.odd.map((odd) => `an odd answer: ${JSON.stringify(odd)}`)
  const records = await readAll(agent)
  broken.push(...judgeRecords(told, records))

  const [whole, ...others] = facts.followers.map((follower) => ({
    since: follower.since,
    seen: cutAfter(follower.seen(), lastTaskId),
  }))
  broken.push(...judgeOrder(whole!.seen), ...judgeEvents(told, records, whole!.seen))
  for (const [round, later] of others.entries()) {
    const complaints = judgeLater(told, whole!.seen, later)
    broken.push(...complaints.map((complaint) => `the reader of round ${round} ${complaint}`))
  }
  const { created, handled, cancelled, updated, lost } = told
  return {
    broken,
    counts: {
      created: created.length,
      handled: handled.length,
      cancelled: cancelled.length,
      updated: updated.length,
      lost: lost.length,
      events: whole!.seen.length,
    },
    connections: facts.followers[0]!.connections(),
  }
}

export async function readAll(agent: Caller): Promise<Map<string, TaskRecord>> {
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

/** Every answer reaches its receiver, perhaps more than once but always under one event id; nothing else does. */
export async function judgeDeliveries(
  records: Map<string, TaskRecord>,
  received: Received[],
  databaseUrl: string,
): Promise<string[]> {
  const owed = [...records.values()].filter(
    ({ status, delivery }) => status === 'handled' && delivery === 'callback',
  )
  const idsOf = (taskId: string) =>
    new Set(
      received
        .filter(({ body }) => JSON.parse(body).taskId === taskId)
        .map(({ headers }) => headers['webhook-id']),
    )
  // What a killed process was about to deliver is free again when its lease has run out; what failed is due again later.
  const patience = Date.now() + 90_000
  while (owed.some(({ taskId }) => idsOf(taskId).size === 0) && Date.now() < patience) {
    await moveClock(databaseUrl, '1 minute')
    await sleep(500)
  }
  const broken = owed.flatMap(({ taskId }) => {
    const { size } = idsOf(taskId)
    return size === 1 ? [] : [`the answer of ${taskId} was called back under ${size} ids`]
  })
  const told = new Set(received.map(({ body }) => JSON.parse(body).taskId))
  const unasked = [...told].filter((taskId) => !owed.some((record) => record.taskId === taskId))
  return [...broken, ...unasked.map((taskId) => `${taskId} was called back without an answer`)]
}

function judgeRecords(told: Told, records: Map<string, TaskRecord>): string[] {
  const broken: string[] = []
  const compare = (what: string, taskId: string, promised: unknown, found: unknown) => {
    if (!same(promised, found)) {
      broken.push(`${what} ${taskId} was told as ${JSON.stringify(promised)} and is ${JSON.stringify(found)}`)
    }
  }
  for (const { taskId, name, metadata } of told.created) {
    const record = records.get(taskId)
    compare('task', taskId, { name, metadata }, record && { name: record.name, metadata: record.metadata })
  }
  for (const { taskId, handled } of told.handled)
    compare('answer', taskId, handled, records.get(taskId)?.handled)
  for (const { taskId, reason } of told.cancelled)
    compare('cancellation', taskId, reason, records.get(taskId)?.cancelled?.reason)
  for (const { taskId, updateId, message } of told.updated) {
    const found = records.get(taskId)?.updates?.filter((update) => update.updateId === updateId)
    compare(
      'update',
      taskId,
      [message],
      found?.map((update) => update.message),
    )
  }
  for (const { taskId, taskStatus, handledBy, handledAt, actionId } of told.lost) {
    const { status, handled } = records.get(taskId) ?? {}
    compare(
      'loss',
      taskId,
      [taskStatus, handledBy, handledAt, actionId],
      [status, handled?.handledBy, handled?.handledAt, handled?.actionId],
    )
  }
  // A call that was repeated until its outcome was known made one task, however often it was carried out.
  const names = [...records.values()].map(({ name }) => name)
  for (const name of names.filter((one, i) => names.indexOf(one) !== i))
    broken.push(`there are several tasks named ${name}`)
  return broken
}

/** What was acknowledged and is not in the record any more, as sentences. */
export function lostOf(told: Told, records: Map<string, TaskRecord>): string[] {
  return [
    ...told.created.filter(({ taskId }) => !records.has(taskId)).map(({ taskId }) => `task ${taskId}`),
    ...told.handled
      .filter(({ taskId, handled }) => !same(handled, records.get(taskId)?.handled))
      .map(({ taskId }) => `answer of ${taskId}`),
    ...told.cancelled
      .filter(({ taskId, reason }) => records.get(taskId)?.cancelled?.reason !== reason)
      .map(({ taskId }) => `cancellation of ${taskId}`),
    ...told.updated
      .filter(
        ({ taskId, updateId }) => !records.get(taskId)?.updates?.some((one) => one.updateId === updateId),
      )
      .map(({ taskId }) => `update of ${taskId}`),
  ]
}

/** One event for each fact, no event without one. */
function judgeEvents(told: Told, records: Map<string, TaskRecord>, seen: ReadEvent[]): string[] {
  const expected = [...records.values()].flatMap(({ taskId, status, updates = [] }) => [
    `service/task_created ${taskId}`,
    ...updates.map(({ message }) => `service/task_updated ${taskId} ${message}`),
    ...(status === 'open' ? [] : [`service/task_${status} ${taskId}`]),
  ])
  const found = seen.map(({ event }) =>
    [event.type, event.taskId, ...(event.update ? [event.update.message] : [])].join(' '),
  )
  const acknowledged = told.created.length + told.handled.length + told.cancelled.length + told.updated.length
  return [
    ...difference(expected, found).map((fact) => `the reader did not see ${fact}`),
    ...difference(found, expected).map((fact) => `the reader saw once too often ${fact}`),
    ...(found.length < acknowledged ? [`${acknowledged} promises, but only ${found.length} events`] : []),
  ]
}

/** Whoever began later saw the rest of what the first one saw, and everything that happened after it began. */
function judgeLater(told: Told, whole: ReadEvent[], { since, seen }: { since: number; seen: ReadEvent[] }) {
  const broken: string[] = []
  if (!same(whole.slice(whole.length - seen.length), seen)) broken.push('has a gap or a repeat')
  const known = new Set(seen.map(({ event }) => event.taskId))
  for (const { taskId, begun } of told.created)
    if (begun > since && !known.has(taskId)) broken.push(`did not hear of ${taskId}`)
  return broken
}

export function judgeOrder(seen: ReadEvent[]): string[] {
  const broken: string[] = []
  for (const [i, { cursor }] of seen.entries()) {
    const before = seen[i - 1]?.cursor
    if (before !== undefined && !isBefore(before, cursor)) broken.push(`${cursor} came after ${before}`)
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

/** What `one` holds more often than `other`. */
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
