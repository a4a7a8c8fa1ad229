import fc from 'fast-check'
import { expect } from 'vitest'
import { type Priority, priorities } from '../../../src/contract/task-fields.ts'
import { taskPayload } from '../../support/service.ts'
import { expectRecord } from './compare.ts'
import type { Model, ModelTask } from './model.ts'
import { type Step, step } from './step.ts'
import { stepMinutes, type World } from './world.ts'

type Wanted = {
  name: string
  type: string
  threadId: string | undefined
  priority: Priority | undefined
  callback: boolean
  expiresInSeconds: number | undefined
  decideAtDeadline: boolean
  acceptsQuestions: boolean
  review?: { needed: number; onDecline: 'end' | 'collect' }
}

// Each word can be searched for, and some are prefixes of others.
export const names = ['Plum', 'Plum tart', 'Pear', 'Peartree 7']
export const types = ['refund', 'review']
// Together with task ids, which are also thread ids, these sort the same in every collation.
export const threads = ['thread1', 'thread2']

export const wanted: fc.Arbitrary<Wanted> = fc.record({
  name: fc.constantFrom(...names),
  type: fc.constantFrom(...types),
  threadId: fc.constantFrom(undefined, ...threads),
  priority: fc.constantFrom(undefined, ...priorities),
  callback: fc.boolean(),
  expiresInSeconds: fc.constantFrom(undefined, undefined, 3_600, 7_200),
  decideAtDeadline: fc.boolean(),
  acceptsQuestions: fc.constantFrom(true, true, false),
})
const node = fc.nat(1)
const key = fc.constantFrom('key1', 'key2')

export function payloadOf(want: Wanted, receiverUrl: string) {
  const { name, type, threadId, priority, expiresInSeconds, acceptsQuestions, review } = want
  const decision = { actionId: 'decline', data: { reason: 'Nobody looked.' } }
  const onExpire = expiresInSeconds !== undefined && want.decideAtDeadline ? decision : undefined
  const callbackUrl = want.callback ? `${receiverUrl}/hook` : undefined
  const options = { threadId, priority, expiresInSeconds, onExpire, callbackUrl, acceptsQuestions, review }
  return taskPayload(options, { name, type })
}

/** Reads the new task once to get its timestamps. */
export async function learn(
  model: Model,
  world: World,
  at: number,
  taskId: string,
  want: Wanted,
): Promise<ModelTask> {
  const { body: record } = await world.agent(at).get(`/tasks/${taskId}`)
  const { onExpire } = payloadOf(want, '') as { onExpire?: ModelTask['onExpire'] }
  const task: ModelTask = {
    number: model.tasks.length,
    taskId,
    createdAt: record.createdAt,
    expiresAt: record.expiresAt,
    name: want.name,
    type: want.type,
    threadId: want.threadId ?? taskId,
    priority: want.priority ?? 'normal',
    delivery: want.callback ? 'callback' : 'poll',
    onExpire,
    status: 'open',
    handled: undefined,
    cancelReason: undefined,
    updates: [],
    acceptsQuestions: want.acceptsQuestions,
    questions: [],
    waitingUntil: undefined,
    waitingSince: 0,
    review: want.review && { ...want.review, votes: [], escalatedTo: undefined },
    escalatesAt: want.review && Date.parse(record.createdAt) + stepMinutes * 60_000,
    assignedTo: undefined,
    revision: 1,
    claim: undefined,
    drafts: new Map(),
    events: ['created'],
  }
  const lasts = record.expiresAt && Date.parse(record.expiresAt) - Date.parse(record.createdAt)
  expect(lasts).toBe(want.expiresInSeconds && want.expiresInSeconds * 1_000)
  expectRecord(record, task)
  model.tasks.push(task)
  return task
}

export function inWords(want: Wanted): string {
  const { name, threadId, priority = 'normal', expiresInSeconds } = want
  const more = [priority, threadId && `in ${threadId}`, want.callback && 'with a callback']
  if (expiresInSeconds)
    more.push(`due in ${expiresInSeconds} s${want.decideAtDeadline ? ', then declined' : ''}`)
  return `"${name}", ${more.filter(Boolean).join(', ')}`
}

const createOne: fc.Arbitrary<Step> = fc.record({ want: wanted, at: node }).map(({ want, at }) =>
  step('create', async (model, world, log) => {
    log(`agent at node ${at} creates #${model.tasks.length} ${inWords(want)}`)
    const { status, body } = await world.agent(at).post('/tasks', payloadOf(want, world.receiver.url))
    expect({ status, delivery: body.delivery }).toEqual({
      status: 201,
      delivery: want.callback ? 'callback' : 'poll',
    })
    await learn(model, world, 1 - at, body.taskId, want)
  }),
)

/** Uses one key concurrently at both nodes, some calls with different arguments. */
const createWithKey: fc.Arbitrary<Step> = fc
  .record({ want: wanted, key, at: fc.array(node, { minLength: 1, maxLength: 3 }) })
  .map(({ want, key, at }) =>
    step('create with a key', async (model, world, log) => {
      const payload = payloadOf(want, world.receiver.url)
      const call = JSON.stringify(payload)
      const earlier = model.keys.get(key)
      const answers = await Promise.all(
        at.map((one) => world.agent(one).post('/tasks', payload, { 'idempotency-key': key })),
      )
      const statuses = answers.map(({ status }) => status).toSorted()
      log(`agent creates with ${key} at ${at} ${inWords(want)}: ${statuses}`)
      if (earlier && earlier.call !== call) {
        for (const { status, body } of answers)
          expect({ status, code: body.code }).toEqual({ status: 409, code: 'idempotency_conflict' })
        return
      }
      expect(statuses).toEqual(at.map((_, i) => (i === at.length - 1 && !earlier ? 201 : 200)))
      for (const { status, headers } of answers)
        expect(headers.get('idempotency-replayed')).toBe(status === 200 ? 'true' : null)
      const ids = [...new Set(answers.map(({ body }) => body.taskId))]
      expect(ids).toHaveLength(1)
      if (earlier) expect(ids).toEqual([earlier.task.taskId])
      else model.keys.set(key, { call, task: await learn(model, world, at[0]!, ids[0], want) })
    }),
  )

const repeatWithKey: fc.Arbitrary<Step> = fc.record({ key, at: node }).map(({ key, at }) =>
  step(
    'repeat a call with its key',
    async (model, world, log) => {
      const { call, task } = model.keys.get(key)!
      log(`agent at node ${at} repeats the call of ${key}, which made #${task.number}`)
      const answer = await world.agent(at).send('POST', '/tasks', call, { 'idempotency-key': key })
      expect({ status: answer.status, taskId: answer.body.taskId }).toEqual({
        status: 200,
        taskId: task.taskId,
      })
    },
    (model) => model.keys.has(key),
  ),
)

export const createSteps = [createOne, createOne, createOne, createOne, createWithKey, repeatWithKey]
