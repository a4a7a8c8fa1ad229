import { expect, expectTypeOf, it } from 'vitest'
import type { CreateTask } from '../contract/create-task.ts'
import { Denied, Expired } from './ask-errors.ts'
import { requireApproval } from './require-approval.ts'
import { createTestInbox } from './testing.ts'

function setUp() {
  const inbox = createTestInbox()
  const refunds: unknown[] = []
  async function refund(order: string, amount: number): Promise<string> {
    refunds.push([order, amount])
    return `refunded ${amount}`
  }
  return { inbox, refunds, refund }
}

it('shows the arguments and calls the function after an approval', async () => {
  const { inbox, refunds, refund } = setUp()
  const approved = inbox.client.requireApproval(refund, {
    type: 'refund',
    name: (order, amount) => `Refund €${amount} for ${order}?`,
    priority: 'high',
  })
  expectTypeOf(approved).toEqualTypeOf<(order: string, amount: number) => Promise<string>>()
  const outcome = approved('58213', 129)
  const task = await inbox.openTask()
  expect(task).toMatchObject({
    ...{ type: 'refund', name: 'Refund €129 for 58213?', priority: 'high' },
    description: 'The agent wants to call refund with these arguments.',
    context: { data: { argument1: '58213', argument2: 129 } },
    actions: [{ id: 'approve' }, { id: 'deny' }],
  })
  expect(refunds).toEqual([])
  inbox.answer(task.taskId, 'approve')
  expect(await outcome).toBe('refunded 129')
  expect(refunds).toEqual([['58213', 129]])
})

it('throws Denied with the reason and does not call the function', async () => {
  const { inbox, refunds, refund } = setUp()
  const approved = inbox.client.requireApproval(refund, { type: 'refund' })
  for (const [deny, reason] of [
    [(id: string) => inbox.answer(id, 'deny', { reason: 'Ask for photos.' }), 'Ask for photos.'],
    [(id: string) => inbox.reject(id, 'Wrong team.'), 'Wrong team.'],
    [(id: string) => inbox.markDone(id), ''],
  ] as const) {
    const outcome = approved('58213', 129).catch((error: unknown) => error)
    deny((await inbox.openTask()).taskId)
    expect(await outcome).toBeInstanceOf(Denied)
    expect(await outcome).toMatchObject({ reason })
  }
  const outcome = approved('58213', 129).catch((error: unknown) => error)
  inbox.expire((await inbox.openTask()).taskId)
  expect(await outcome).toBeInstanceOf(Expired)
  expect(refunds).toEqual([])
})

it('may require a human, and a denial by a rule names no person', async () => {
  const { inbox, refunds, refund } = setUp()
  const sent: CreateTask[] = []
  const calls = {
    ...inbox.client,
    createTask: (input: CreateTask) => {
      sent.push(input)
      return inbox.client.createTask(input)
    },
    getTask: async (...args: Parameters<typeof inbox.client.getTask>) => {
      const task = await inbox.client.getTask(...args)
      return { ...task, ...(task.handled && { handled: { ...task.handled, ...byRule } }) }
    },
  }
  const byRule = { handledBy: 'service:rule', decidedBy: 'rule', via: 'rule', ruleId: 'rul_1' } as const
  const approved = requireApproval(calls, refund, { type: 'refund', requireHuman: true })
  const outcome = approved('58213', 129).catch((error: unknown) => error)
  inbox.answer((await inbox.openTask()).taskId, 'deny', { reason: 'Too much.' })
  expect(await outcome).toMatchObject({
    message: 'A standing rule denied "Call refund?": Too much.',
    task: { handled: byRule },
  })
  expect(sent).toMatchObject([{ requireHuman: true }])
  expect(refunds).toEqual([])
})

it('shows one object by its fields, what JSON would drop as text, and only what show returns', async () => {
  const { inbox } = setUp()
  const shown = async (...args: unknown[]) => {
    const approved = inbox.client.requireApproval((..._: unknown[]) => undefined, { type: 't' })
    void approved(...args).catch(ignore)
    const task = await inbox.openTask()
    inbox.expire(task.taskId)
    return task.context?.data
  }
  expect(await shown({ to: 'ana', cc: undefined, size: 10n, rate: Number.NaN })).toEqual({
    ...{ to: 'ana', cc: 'undefined', size: '10', rate: 'NaN' },
  })
  expect(await shown(new Date(0), new Set([1]))).toEqual({
    argument1: '1970-01-01T00:00:00.000Z',
    argument2: [1],
  })
  class Sealed {
    #text = 'hidden'
    static read = (sealed: Sealed) => sealed.#text
  }
  const failed = Object.assign(new Error('Not found.'), { code: 'ENOENT' })
  expect(
    await shown(new RangeError('Too far.'), failed, /^a+$/i, new Date('never'), new URLSearchParams('a=1')),
  ).toEqual({
    ...{ argument1: 'RangeError: Too far.', argument2: { error: 'Error: Not found.', code: 'ENOENT' } },
    ...{ argument3: '/^a+$/i', argument4: 'Invalid Date', argument5: 'a=1' },
  })
  expect(await shown({ nested: { sealed: new Sealed(), empty: {}, list: [] } })).toEqual({
    nested: { sealed: '[object Sealed]', empty: {}, list: [] },
  })
  expect(await shown()).toBeUndefined()
  const login = (user: string, password: string) => user + password
  const approved = inbox.client.requireApproval(login, { type: 'login', show: (user) => ({ user }) })
  void approved('ana', 'secret').catch(ignore)
  expect((await inbox.openTask()).context?.data).toEqual({ user: 'ana' })
})

it('a key makes the task safe to create again', async () => {
  const { inbox, refunds, refund } = setUp()
  const options = { type: 'refund', key: (order: string) => `refund-${order}` }
  const first = inbox.client.requireApproval(refund, { ...options, timeoutSeconds: 0.01 })
  await expect(first('58213', 129)).rejects.toThrow('No answer to tsk_')
  inbox.answer((await inbox.openTask()).taskId, 'approve')
  await inbox.client.requireApproval(refund, options)('58213', 129)
  expect(inbox.tasks).toHaveLength(1)
  expect(refunds).toHaveLength(1)
})

function ignore() {
  // The outcome is not what is tested.
}
