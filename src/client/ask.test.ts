import { expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import { ask } from './ask.ts'
import { Cancelled, Denied, Expired, InvalidAnswer, WaitTimeout } from './ask-errors.ts'
import { HandrailProblem } from './problem.ts'
import type { StandardSchema } from './standard-schema.ts'
import { createTestInbox } from './testing.ts'

const task = { type: 'refund', name: 'Refund €129?', description: 'The lid arrived broken.' }
const approve = {
  id: 'approve',
  title: 'Approve',
  schema: z.object({ amount: z.number().max(129), note: z.string().optional() }),
} as const
const decline = {
  id: 'decline',
  title: 'Decline',
  schema: {
    type: 'object',
    required: ['reason'],
    properties: {
      reason: { enum: ['late', 'used'] },
      tags: { type: 'array', items: { type: 'string' } },
      prices: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }], items: false },
      others: { type: 'array', prefixItems: [{ type: 'string' }] },
    },
  },
} as const
const later = { id: 'later', title: 'Later' } as const

it('returns the answer, typed by the action that was chosen', async () => {
  const inbox = createTestInbox()
  const asked = inbox.client.ask({ task, actions: [approve, decline, later] })
  inbox.answer((await inbox.openTask()).taskId, 'approve', { amount: 100 })
  const answer = await asked
  if (answer.action === 'approve') {
    expectTypeOf(answer.data).toEqualTypeOf<{ amount: number; note?: string | undefined }>()
    expect(answer.data.amount).toBe(100)
  } else if (answer.action === 'decline') {
    expectTypeOf(answer.data).toEqualTypeOf<{
      reason: 'late' | 'used'
      tags?: string[]
      prices?: (string | number)[]
      pair?: (string | null)[]
      others?: unknown[]
    }>()
  } else {
    expectTypeOf(answer.action).toEqualTypeOf<'later'>()
  }
  expect(answer).toMatchObject({
    ...{ action: 'approve', actionTitle: 'Approve', handledBy: 'human@handrail.test', decidedBy: 'human' },
    ...{ taskId: inbox.tasks[0]?.taskId, task: { status: 'handled' } },
  })
})

it('sends the JSON Schema of a zod schema, without patterns of formats that the service checks', async () => {
  const inbox = createTestInbox()
  const schema = z.object({ to: z.email(), on: z.iso.date(), code: z.string().regex(/^[a-z]+$/) })
  void inbox.client.ask({ task, actions: [{ id: 'send', title: 'Send', schema }] }).catch(() => undefined)
  expect((await inbox.openTask()).actions?.[0]?.schema).toEqual({
    type: 'object',
    required: ['to', 'on', 'code'],
    properties: {
      to: { type: 'string', format: 'email' },
      on: { type: 'string', format: 'date' },
      code: { type: 'string', pattern: '^[a-z]+$' },
    },
  })
})

it('keeps patterns that say more than their format', async () => {
  const inbox = createTestInbox()
  const schema = z.object({
    colleague: z.email({ pattern: /@example\.com$/ }),
    at: z.iso.datetime({ offset: true, precision: 3 }),
    id: z.uuid(),
    token: z.uuidv4(),
  })
  void inbox.client.ask({ task, actions: [{ id: 'send', title: 'Send', schema }] }).catch(() => undefined)
  expect((await inbox.openTask()).actions?.[0]?.schema?.properties).toEqual({
    colleague: { type: 'string', format: 'email', pattern: '@example\\.com$' },
    at: { type: 'string', format: 'date-time' },
    id: { type: 'string', format: 'uuid' },
    token: { type: 'string', format: 'uuid', pattern: expect.stringContaining('-4[0-9a-fA-F]{3}-') },
  })
})

it('accepts any Standard Schema, converted by the caller if the library cannot', async () => {
  const inbox = createTestInbox()
  const schema: StandardSchema<{ days: number }> = {
    '~standard': {
      ...{ version: 1, vendor: 'handmade' },
      validate: (value) => ({ value: { days: Number((value as { days: string }).days) } }),
    },
  }
  const actions = [{ id: 'wait', title: 'Wait', schema }] as const
  await expect(inbox.client.ask({ task, actions })).rejects.toThrow('toJsonSchema')
  const toJsonSchema = () => ({ type: 'object', properties: { days: { type: 'string' } } })
  const asked = inbox.client.ask({ task, actions, toJsonSchema })
  inbox.answer((await inbox.openTask()).taskId, 'wait', { days: '3' })
  expect((await asked).data.days).toBe(3)
  void (() => inbox.client.ask({ task, actions: [approve], toJsonSchema: z.toJSONSchema }))
})

it('throws when an answer fits the form but not the schema', async () => {
  const inbox = createTestInbox()
  const schema = z.object({ from: z.int(), to: z.int() }).refine(({ from, to }) => from < to, 'Wrong order.')
  const asked = inbox.client.ask({ task, actions: [{ id: 'set', title: 'Set', schema }] })
  inbox.answer((await inbox.openTask()).taskId, 'set', { from: 2, to: 1 })
  const error = await asked.catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(InvalidAnswer)
  expect(error).toMatchObject({
    issues: [{ message: 'Wrong order.' }],
    task: { handled: { data: { from: 2 } } },
  })
})

it('throws when the task ends without one of the actions', async () => {
  const ends = [
    [(inbox, id) => inbox.reject(id, 'Not on a Friday.'), Denied, { reason: 'Not on a Friday.' }],
    [(inbox, id) => inbox.markDone(id), Denied, { reason: '' }],
    [(inbox, id) => inbox.expire(id), Expired, { task: { status: 'expired' } }],
    [
      (inbox, id) => void inbox.client.cancelTask(id, { reason: 'Found it.' }),
      Cancelled,
      { reason: 'Found it.' },
    ],
  ] satisfies [(inbox: ReturnType<typeof createTestInbox>, id: string) => void, unknown, object][]
  for (const [end, kind, expected] of ends) {
    const inbox = createTestInbox()
    const asked = inbox.client.ask({ task, actions: [later] }).catch((failure: unknown) => failure)
    end(inbox, (await inbox.openTask()).taskId)
    expect(await asked).toBeInstanceOf(kind)
    expect(await asked).toMatchObject(expected)
  }
})

it('stops waiting after timeoutSeconds and when the signal is aborted; the task stays open', async () => {
  const inbox = createTestInbox()
  const onCreated = vi.fn()
  const timedOut = inbox.client.ask({ task, actions: [later], timeoutSeconds: 0.02, onCreated })
  await expect(timedOut).rejects.toBeInstanceOf(WaitTimeout)
  await expect(timedOut).rejects.toMatchObject({ taskId: inbox.tasks[0]?.taskId })
  expect(onCreated).toHaveBeenCalledWith(expect.objectContaining({ url: inbox.tasks[0]?.url }))

  const stop = new AbortController()
  const aborted = inbox.client.ask({ task, actions: [later], signal: stop.signal, timeoutSeconds: 60 })
  await expect.poll(() => inbox.tasks).toHaveLength(2)
  stop.abort(new Error('Shutting down.'))
  await expect(aborted).rejects.toThrow('Shutting down.')
  expect(inbox.tasks.map(({ status }) => status)).toEqual(['open', 'open'])
})

it('the same key asks once, different calls without a key ask again', async () => {
  const inbox = createTestInbox()
  const question = { task, actions: [later], timeoutSeconds: 0.01 } as const
  for (const key of ['a', 'a', 'b'])
    await expect(inbox.client.ask({ ...question, key })).rejects.toBeInstanceOf(WaitTimeout)
  expect(inbox.tasks).toHaveLength(2)
  for (let call = 0; call < 2; call++)
    await expect(inbox.client.ask(question)).rejects.toBeInstanceOf(WaitTimeout)
  expect(inbox.tasks).toHaveLength(4)
})

it('retries an interrupted creation with the same key, and gives up on a refused one', async () => {
  const inbox = createTestInbox()
  const { createTask } = inbox.client
  const keys: unknown[] = []
  const calls = {
    ...inbox.client,
    async createTask(...[input, call]: Parameters<typeof createTask>) {
      keys.push(call?.idempotencyKey)
      const created = await createTask(input, call)
      if (keys.length === 1) throw unavailable() // the response was lost
      return created
    },
  }
  const asked = ask(calls, { task, actions: [later] })
  await expect.poll(() => keys).toHaveLength(2)
  inbox.answer((await inbox.openTask()).taskId, 'later')
  expect((await asked).action).toBe('later')
  expect(keys[0]).toBe(keys[1])
  expect(inbox.tasks).toHaveLength(1)
  await expect(inbox.client.ask({ task, actions: [] })).rejects.toMatchObject({ code: 'invalid_request' })
})

function unavailable(): HandrailProblem {
  return new HandrailProblem(
    { type: 'about:blank', title: '', status: 503, code: 'unavailable', detail: '', requestId: '' },
    { retryAfterSeconds: 0.01 },
  )
}

it('lets the service say what is wrong with actions that are not objects', async () => {
  const { client } = createTestInbox()
  const asked = (actions: unknown) => client.ask({ task, actions: actions as [] })
  await expect(asked(['approve'])).rejects.toMatchObject({
    errors: [
      {
        path: 'actions[0]',
        message: 'Must be an object. Send for example {"id":"approve","title":"approve"}.',
      },
    ],
  })
  await expect(asked(undefined)).rejects.toMatchObject({ errors: [{ path: 'actions' }] })
})
