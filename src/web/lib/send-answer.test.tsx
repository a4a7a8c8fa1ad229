import { afterEach, expect, test, vi } from 'vitest'
import { explainNotSent } from '../parts/answers/unsent-text.ts'
import { type Answer, sendAnswer } from './send-answer.ts'

afterEach(() => void vi.unstubAllGlobals())

const me = { userId: 'usr_me', email: 'me@shop.example' }
const hold: Answer = {
  workspaceId: 'wsp_1',
  taskId: 'tsk_1',
  taskName: 'Pay the invoice',
  actionId: 'hold',
  title: 'Hold',
  data: { reason: 'Too expensive' },
  revision: 1,
}

/** The service refuses the answer with this code, and responds to a read of the task with this record. */
function serviceRefusing(code: 'already_answered' | 'task_not_open', record: object): void {
  const refusal = { type: 'about:blank', title: '', status: 409, code, detail: '', taskStatus: 'handled' }
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) =>
    method === 'POST'
      ? Response.json({ ...refusal, requestId: 'req_1' }, { status: 409 })
      : Response.json({ taskId: 'tsk_1', revision: 1, ...record }),
  )
}

const answerOf = (actionId: string, actionTitle: string, data: object) => ({
  ...{ actionId, actionTitle, data, by: me.email, at: '2026-11-15T09:00:00.000Z', via: 'web' },
})
const pay = answerOf('pay', 'Pay', {})

test.each([
  ['while the task is open', 'already_answered', { status: 'open', review: { answers: [pay] } }],
  ['after the task has ended', 'task_not_open', { status: 'handled', handled: { ...pay, answers: [pay] } }],
] as const)('an answer that differs from the recorded one is not sent, %s', async (_, code, record) => {
  serviceRefusing(code, record)
  const outcome = await sendAnswer(hold, me, false)
  expect(outcome).toMatchObject({ kind: 'failed', failure: { problem: { code }, ownAnswer: 'Pay' } })
  expect(outcome.kind === 'failed' && explainNotSent(outcome.failure, me.email, () => undefined)).toBe(
    'Not sent: you answered it elsewhere with “Pay”. That answer counts.',
  )
})

test('an answer that an earlier attempt delivered unnoticed counts as sent', async () => {
  const recorded = answerOf('hold', 'Hold', { reason: 'Too expensive' })
  serviceRefusing('already_answered', { status: 'open', review: { answers: [recorded] } })
  expect(await sendAnswer(hold, me, false)).toEqual({ kind: 'sent', openRevision: 1 })
})

test('an answer waits until the person has set up the two-factor authentication that the workspace requires', async () => {
  const problem = { type: 'about:blank', title: '', status: 403, detail: '', requestId: 'req_1' }
  vi.stubGlobal('fetch', async () =>
    Response.json({ ...problem, code: 'two_factor_required' }, { status: 403 }),
  )
  expect(await sendAnswer(hold, me, false)).toMatchObject({ kind: 'unsure' })
  vi.stubGlobal('fetch', async () => Response.json({ ...problem, code: 'forbidden' }, { status: 403 }))
  expect(await sendAnswer(hold, me, false)).toMatchObject({ kind: 'failed' })
})
