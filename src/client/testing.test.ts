import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { CreateTask } from '../contract/create-task.ts'
import type { Client } from './client.ts'
import { createTestInbox } from './testing.ts'
import { waitForAnswer } from './wait-for-answer.ts'

/** A typical agent under test. */
async function refundAgent(handrail: Client, amount: number): Promise<string> {
  const { taskId } = await handrail.createTask({
    task: { type: 'refund', name: `Refund €${amount}`, description: 'Above my limit.' },
    actions: [
      {
        id: 'approve',
        title: 'Approve',
        schema: {
          type: 'object',
          required: ['amount'],
          properties: { amount: { type: 'number', maximum: amount } },
        },
      },
    ],
  })
  const { status, handled } = await waitForAnswer(handrail, taskId)
  if (handled?.actionId === 'approve') return `refunded ${handled.data.amount}`
  return handled ? `stopped: ${handled.data.feedback}` : status
}

it('a waiting agent receives the answer of the test', async () => {
  const inbox = createTestInbox()
  const outcome = refundAgent(inbox.client, 129)
  await expect.poll(() => inbox.tasks).toHaveLength(1)
  inbox.answer(inbox.tasks[0]!.taskId, 'approve', { amount: 100 })
  expect(await outcome).toBe('refunded 100')
})

it('the example in the docs waits until the agent has created the task', async () => {
  const page = readFileSync(new URL('../../examples/README.md', import.meta.url), 'utf8')
  const [, snippet] = /```ts\n(?:import .+\n)+\n(const inbox = createTestInbox[\s\S]+?)```/.exec(page)!
  const lateAgent = async (handrail: Client, amount: number) => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    return await refundAgent(handrail, amount)
  }
  const run = new Function('createTestInbox', 'refundAgent', 'assert', `return (async () => {${snippet}})()`)
  await expect(run(createTestInbox, lateAgent, assert)).resolves.toBeUndefined()
  expect.hasAssertions()
})

it('an agent can be tested for rejected and expired tasks', async () => {
  for (const [act, expected] of [
    [(inbox, id) => inbox.reject(id, 'Ask again on Monday.'), 'stopped: Ask again on Monday.'],
    [(inbox, id) => inbox.expire(id), 'expired'],
  ] satisfies [(inbox: ReturnType<typeof createTestInbox>, id: string) => void, string][]) {
    const inbox = createTestInbox()
    const outcome = refundAgent(inbox.client, 129)
    await expect.poll(() => inbox.tasks).toHaveLength(1)
    act(inbox, inbox.tasks[0]!.taskId)
    expect(await outcome).toBe(expected)
  }
})

const heldAtDeadline: CreateTask = {
  task: { type: 'payment', name: 'Pay €48,000?', description: 'Invoice 2291.' },
  actions: [
    { id: 'pay', title: 'Pay' },
    { id: 'hold', title: 'Hold' },
  ],
  expiresInSeconds: 3_600,
  onExpire: { actionId: 'hold' },
  acceptsQuestions: true,
}

it('a deadline answers with onExpire, unless a question has no reply', async () => {
  const inbox = createTestInbox()
  const { taskId } = await inbox.client.createTask(heldAtDeadline)
  inbox.expire(taskId)
  const { handled, ...task } = await inbox.client.getTask(taskId)
  expect(task.status).toBe('handled')
  expect(handled).toMatchObject({
    ...{ actionId: 'hold', actionTitle: 'Hold', data: {}, handledBy: 'service:timeout' },
    ...{ decidedBy: 'timeout', via: 'timeout', revision: 1 },
  })
  expect(() => inbox.expire(taskId)).toThrow('handled')
  const asked = await inbox.client.createTask(heldAtDeadline)
  inbox.askQuestion(asked.taskId, 'Which card?')
  inbox.expire(asked.taskId)
  expect((await inbox.client.getTask(asked.taskId)).status).toBe('expired')
})

it('refuses what the service would refuse, with the same messages', async () => {
  const inbox = createTestInbox()
  const wrong: unknown = { task: { type: 'refund', name: 'n', description: 7 }, actions: {} }
  await expect(inbox.client.createTask(wrong as CreateTask)).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'task.description' }, { path: 'actions' }],
  })
  void refundAgent(inbox.client, 129)
  await expect.poll(() => inbox.tasks).toHaveLength(1)
  const { taskId } = inbox.tasks[0]!
  expect(() => inbox.answer(taskId, 'approve', { amount: 500 })).toThrow('amount')
  expect(() => inbox.answer(taskId, 'refuse')).toThrow('This task has: approve')
  inbox.answer(taskId, 'approve', { amount: 1 })
  expect(() => inbox.markDone(taskId)).toThrow('handled')
})

it('a wait with a signal that is already aborted ends at once', async () => {
  const { client } = createTestInbox()
  const { taskId } = await client.createTask({
    task: { type: 'refund', name: 'Refund €129', description: 'Above my limit.' },
    actions: [{ id: 'approve', title: 'Approve' }],
  })
  const wait = client.getTask(taskId, { waitSeconds: 50 }, AbortSignal.abort('stopped'))
  await expect(wait).rejects.toBe('stopped')
})

it('returns the same task for the same idempotency key', async () => {
  const { client, tasks } = createTestInbox()
  const input = {
    task: { type: 'q', name: 'n', description: 'd' },
    actions: [{ id: 'ok', title: 'OK' }],
  }
  const first = await client.createTask(input, { idempotencyKey: 'a' })
  expect(await client.createTask(input, { idempotencyKey: 'a' })).toEqual(first)
  const sameInOtherOrder = { actions: input.actions, task: input.task, idempotencyKey: 'a' }
  expect(await client.createTask(sameInOtherOrder)).toEqual(first)
  expect(tasks).toHaveLength(1)
})

it('refuses an idempotency key that was used with other arguments', async () => {
  const { client, tasks } = createTestInbox()
  const actions = [{ id: 'ok', title: 'OK' }]
  const send = (description: string) => ({
    task: { type: 'q', name: 'n', description },
    ...{ actions, idempotencyKey: 'a' },
  })
  const { taskId } = await client.createTask(send('first'))
  const refusal = { status: 409, code: 'idempotency_conflict' }
  await expect(client.createTask(send('second'))).rejects.toMatchObject(refusal)
  await expect(client.sendUpdate(taskId, { message: 'Started.', idempotencyKey: 'a' })).rejects.toMatchObject(
    refusal,
  )
  const { results } = await client.createTasks({ tasks: [send('third'), send('first')] })
  expect(results).toMatchObject([
    { status: 409, problem: refusal },
    { status: 200, task: { taskId } },
  ])
  expect(tasks).toHaveLength(1)
})

it('lists apply all filters and have as many pages as needed', async () => {
  const { client, tasks } = createTestInbox()
  for (const number of [1, 2, 3, 4, 5]) {
    await client.createTask({
      task: { type: 'q', name: `Question ${number}`, description: 'd' },
      actions: [{ id: 'ok', title: 'OK' }],
      ...{ threadId: `thread-${number % 2}`, version: `v${number}` },
      priority: number === 2 ? 'urgent' : 'normal',
    })
  }
  const readAll = async (list: (cursor?: string) => ReturnType<Client['listTasks']>) => {
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = await list(cursor)
      pages.push(page.tasks.map(({ version }) => version!))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return pages
  }
  expect(await readAll((cursor) => client.listTasks({ limit: 2, cursor }))).toEqual([
    ['v5', 'v4'],
    ['v3', 'v2'],
    ['v1'],
  ])
  expect(await readAll((cursor) => client.listTasks({ threadId: 'thread-1', limit: 2, cursor }))).toEqual([
    ['v5', 'v3'],
    ['v1'],
  ])
  expect(await readAll((cursor) => client.searchTasks({ query: 'question', limit: 3, cursor }))).toEqual([
    ['v5', 'v4', 'v3'],
    ['v2', 'v1'],
  ])
  expect(await readAll(() => client.listTasks({ priority: 'urgent' }))).toEqual([['v2']])
  expect(await readAll(() => client.listTasks({ version: 'v4' }))).toEqual([['v4']])
  tasks[0]!.createdAt = '2026-01-01T00:00:00.000Z'
  expect(await readAll(() => client.listTasks({ createdBefore: '2026-01-02T00:00:00Z' }))).toEqual([['v1']])
  expect((await client.listTasks({ createdAfter: '2026-01-02T00:00:00Z' })).tasks).toHaveLength(4)
  expect((await client.searchTasks({ query: 'question', status: 'handled' })).tasks).toEqual([])
  await expect(client.listTasks({ cursor: 'unknown' })).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'cursor' }],
  })
})

it('feedback has the limits of the service', async () => {
  const { inbox, taskId, task } = await sendPayment(undefined)
  expect(() => inbox.reject(taskId, ' ')).toThrow('feedback: Must contain a visible character.')
  expect(() => inbox.reject(taskId, 'x'.repeat(10_001))).toThrow('feedback')
  expect(task.status).toBe('open')
})

it('the workspace and the key of a test inbox stay the same', async () => {
  const { client } = createTestInbox()
  expect(await client.me()).toEqual(await client.me())
})

/** Sends a payment that two people must approve. */
async function sendPayment(review: CreateTask['review']) {
  const inbox = createTestInbox()
  const note = { type: 'string' }
  const account = { type: 'string', pattern: '^DE' }
  const { taskId } = await inbox.client.createTask({
    task: { type: 'payment', name: 'Pay €48,000?', description: 'Invoice 2291.' },
    actions: [
      { id: 'pay', title: 'Pay', schema: { type: 'object', properties: { account, note } } },
      { id: 'hold', title: 'Hold' },
    ],
    ...(review && { review }),
    acceptsQuestions: true,
  })
  return { inbox, taskId, task: inbox.tasks[0]! }
}

const [ana, ben, cem] = ['ana@example.com', 'ben@example.com', 'cem@example.com'].map((by) => ({ by }))

it('a task with a review ends when enough people have given the same answer', async () => {
  const { inbox, taskId } = await sendPayment({ needed: 2 })
  const task = waitForAnswer(inbox.client, taskId)
  inbox.answer(taskId, 'pay', { account: 'DE1', note: 'First' }, ana)
  inbox.answer(taskId, 'pay', { account: 'DE2', note: 'Other account' }, ben)
  expect(await inbox.client.getTask(taskId)).toMatchObject({
    status: 'open',
    review: { needed: 2, onDecline: 'end', given: 2 },
  })
  expect(() => inbox.answer(taskId, 'pay', { account: 'DE2' }, ben)).toThrow('already answered')
  inbox.answer(taskId, 'pay', { account: 'DE1', note: 'Agreed' }, cem)
  const { handled, review } = await task
  expect(handled).toMatchObject({ handledBy: 'ana@example.com', data: { account: 'DE1', note: 'First' } })
  expect(handled?.answers?.map(({ by, data }) => [by, data.account])).toEqual([
    ['ana@example.com', 'DE1'],
    ['ben@example.com', 'DE2'],
    ['cem@example.com', 'DE1'],
  ])
  expect(review?.given).toBe(3)
})

it('one rejection ends a task with a review, unless rejections are collected', async () => {
  for (const [onDecline, status] of [
    ['end', 'handled'],
    ['collect', 'open'],
  ] as const) {
    const { inbox, taskId, task } = await sendPayment({ needed: 2, onDecline })
    inbox.answer(taskId, 'pay', {}, ana)
    inbox.reject(taskId, 'Wrong invoice.', ben)
    expect(task.status).toBe(status)
  }
})

it('collected rejections agree whatever their feedback says', async () => {
  const { inbox, taskId, task } = await sendPayment({ needed: 2, onDecline: 'collect' })
  inbox.reject(taskId, 'Wrong invoice.', ana)
  inbox.reject(taskId, 'Paid already.', ben)
  expect(task.status).toBe('handled')
})

it('an admin decides a deadlock, and nobody decides before it', async () => {
  const { inbox, taskId, task } = await sendPayment({ by: [ana!.by, ben!.by], needed: 2 })
  const admin = { by: 'admin@example.com', decidesDeadlock: true }
  inbox.answer(taskId, 'pay', {}, ana)
  expect(() => inbox.answer(taskId, 'pay', {}, cem)).toThrow(
    'Only ana@example.com, ben@example.com may answer',
  )
  expect(() => inbox.answer(taskId, 'hold', {}, admin)).toThrow('once everybody who may answer has')
  inbox.answer(taskId, 'hold', {}, ben)
  expect(task.status).toBe('open')
  inbox.markDone(taskId, admin)
  expect(task.handled).toMatchObject({ actionId: 'service:mark-done', handledBy: 'admin@example.com' })
  expect(task.handled?.answers).toHaveLength(3)
})

it('after a revision everyone answers again', async () => {
  const { inbox, taskId, task } = await sendPayment({ needed: 2 })
  inbox.answer(taskId, 'hold', {}, ana)
  await inbox.client.revise(taskId, { task: { name: 'Pay €47,000?' } }, 'I subtracted the discount.')
  expect(task.review?.given).toBe(0)
  inbox.answer(taskId, 'hold', {}, ben)
  expect(task.status).toBe('open')
  inbox.answer(taskId, 'hold', {}, ana)
  expect(task.handled?.answers?.map(({ by }) => by)).toEqual(['ben@example.com', 'ana@example.com'])
})

it('a review that nobody could complete is refused', async () => {
  await expect(sendPayment({ by: [ana!.by, ben!.by], notBy: [ben!.by], needed: 2 })).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [
      {
        path: 'review',
        message:
          '2 people must answer, but only 1 may. They need a verified email address, and the task must not be from them, their API key or their connected app.',
      },
    ],
  })
  await expect(sendPayment({ by: [ana!.by], notBy: [ana!.by] })).rejects.toMatchObject({
    errors: [{ path: 'review', message: '1 person must answer, but nobody may.' }],
  })
  const { task } = await sendPayment({ needed: 1 })
  expect(task.review).toBeUndefined()
})

it('records say what the records of the service say: deadline, assignee, edits and how the task ended', async () => {
  const inbox = createTestInbox()
  const reply = { type: 'object', properties: { reply: { type: 'string' } } }
  const ui = { reply: { 'ui:options': { prefill: 'draft' } } }
  const { taskId } = await inbox.client.createTask({
    ...heldAtDeadline,
    context: { data: { draft: 'Dear Ana' } },
    actions: [{ id: 'send', title: 'Send', schema: reply, ui }, ...heldAtDeadline.actions],
    assignTo: 'Ben@example.com',
  })
  const { createdAt, expiresAt, assignedTo } = await inbox.client.getTask(taskId)
  expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBeCloseTo(3_600_000, -3)
  expect(assignedTo).toBe('ben@example.com')
  inbox.askQuestion(taskId, 'To whom?')
  const { waitingUntil } = await inbox.client.getTask(taskId)
  expect(Date.parse(waitingUntil!) - Date.parse(createdAt)).toBeCloseTo(1_800_000, -3)
  expect(() => inbox.answer(taskId, 'send', { repyl: 'Hello' })).toThrow('data.repyl: This field is not part')
  inbox.answer(taskId, 'send', { reply: 'Hello Ana' })
  const { handled } = await inbox.client.getTask(taskId)
  expect(handled?.edits).toMatchObject([
    { field: 'reply', source: 'draft', changed: true, before: 'Dear Ana', after: 'Hello Ana' },
  ])
  await expect(inbox.client.cancelTask(taskId)).rejects.toMatchObject({
    ...{ code: 'task_not_open', taskStatus: 'handled', handledBy: 'human@handrail.test', actionId: 'send' },
    message: `The task was handled by human@handrail.test with "Send" at ${handled?.handledAt}. Nothing was changed.`,
  })
})

it('refuses what is too large, callbacks without an address, and unknown arguments of a read', async () => {
  const { client } = createTestInbox()
  const half = { context: { data: { text: 'half of \ud83d' } } }
  await expect(client.createTask({ ...heldAtDeadline, ...half })).rejects.toThrow('half of a surrogate pair')
  const large = { context: { data: { text: 'x'.repeat(600_000) } } }
  await expect(client.createTask({ ...heldAtDeadline, ...large })).rejects.toMatchObject({
    ...{ status: 413, code: 'payload_too_large' },
  })
  for (const callback of [{ delivery: 'callback' }, { callbackUrl: 'example.com/handrail' }] as const)
    await expect(client.createTask({ ...heldAtDeadline, ...callback })).rejects.toMatchObject({
      errors: [{ path: 'callbackUrl' }],
    })
  const { taskId } = await client.createTask(heldAtDeadline)
  await expect(client.revise(taskId, large, 'More.')).rejects.toMatchObject({ code: 'payload_too_large' })
  await expect(client.getTask(taskId, { wait: 50 } as object)).rejects.toThrow(
    'Rename "wait" to "waitSeconds"',
  )
})

it('a task is what was sent as JSON, whatever its sender changes later', async () => {
  const { client } = createTestInbox()
  const data: Record<string, unknown> = { since: new Date(0), gone: undefined, rows: [1] }
  const { taskId } = await client.createTask({ ...heldAtDeadline, context: { data } })
  Object.assign(data, { since: 'changed' })
  const { context } = await client.getTask(taskId, { include: ['context'] })
  expect(context?.data).toStrictEqual({ since: '1970-01-01T00:00:00.000Z', rows: [1] })
})
