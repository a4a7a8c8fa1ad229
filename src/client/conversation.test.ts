import { expect, expectTypeOf, it, vi } from 'vitest'
import { InvalidAnswer, WaitTimeout } from './ask-errors.ts'
import type { Client } from './client.ts'
import { HandrailProblem } from './problem.ts'
import { createTestInbox } from './testing.ts'
import { waitForAnswer } from './wait-for-answer.ts'

const task = { type: 'refund', name: 'Refund €129?', description: 'The lid arrived broken.' }
const approve = { id: 'approve', title: 'Approve' } as const
const payload = { task, actions: [approve], acceptsQuestions: true }

it('a question calls the handler, whose text is the reply, and the wait goes on', async () => {
  const inbox = createTestInbox()
  const onQuestion = vi.fn(async (question: { text: string }) => `About "${question.text}": the debit card.`)
  const asked = inbox.client.ask({ task, actions: [approve], onQuestion })
  const { taskId } = await inbox.openTask()
  const { questionId } = inbox.askQuestion(taskId, 'Which card?')
  expect(await inbox.replyTo(questionId)).toMatchObject({ message: 'About "Which card?": the debit card.' })
  expect(inbox.tasks[0]).toMatchObject({ acceptsQuestions: true, waitingFor: 'person' })
  inbox.answer(taskId, 'approve')
  expect((await asked).task).toMatchObject({ questions: [{ questionId, answer: {} }] })
  expect(onQuestion).toHaveBeenCalledOnce()
  expect(onQuestion.mock.calls[0]).toMatchObject([{ questionId, kind: 'question' }, { taskId }])
})

it('a reply may revise the task, and the answer names the revision', async () => {
  const inbox = createTestInbox()
  const asked = inbox.client.ask({
    ...{ task, actions: [approve], context: { data: { amount: 129 } } },
    onQuestion: () => ({
      message: 'Lowered to €100.',
      revision: { task: { name: 'Refund €100?' }, context: { data: { amount: 100 } } },
    }),
  })
  const { taskId } = await inbox.openTask()
  await inbox.replyTo(inbox.askQuestion(taskId, 'Take off the shipping.', 'changes').questionId)
  expect(await inbox.client.getTask(taskId, { include: ['context', 'updates', 'revisions'] })).toMatchObject({
    ...{ name: 'Refund €100?', revision: 2, context: { data: { amount: 100 } } },
    updates: [{ message: 'Lowered to €100.', revision: 2 }],
    revisions: [{ revision: 1, name: 'Refund €129?', context: { data: { amount: 129 } } }],
  })
  expect(() => inbox.answer(taskId, 'approve', {}, { revision: 1 })).toThrow(
    expect.objectContaining({ code: 'task_revised', revision: 2 }),
  )
  inbox.answer(taskId, 'approve', {}, { revision: 2 })
  expect(await asked).toMatchObject({ action: 'approve', revision: 2 })
})

it('without a handler the wait goes on, without asking again and again', async () => {
  const inbox = createTestInbox()
  const { taskId } = await inbox.client.createTask(payload)
  const getTask = vi.spyOn(inbox.client, 'getTask')
  inbox.askQuestion(taskId, 'Which card?')
  const waiting = waitForAnswer(inbox.client, taskId)
  await expect.poll(() => getTask).toHaveBeenCalledTimes(2)
  inbox.askQuestion(taskId, 'And when?')
  await expect.poll(() => getTask).toHaveBeenCalledTimes(3)
  inbox.answer(taskId, 'approve')
  expect(await waiting).toMatchObject({ status: 'handled', questions: [{}, {}] })
  expect(getTask).toHaveBeenCalledTimes(3)
})

it('each question is handled once, also those from before the wait and during a reply', async () => {
  const inbox = createTestInbox()
  const { taskId } = await inbox.client.createTask(payload)
  const first = inbox.askQuestion(taskId, 'Which card?')
  await inbox.client.reply(taskId, first.questionId, 'The debit card.')
  inbox.askQuestion(taskId, 'Since when?')
  const handled: string[] = []
  const waiting = inbox.client.waitForAnswer(taskId, {
    onQuestion({ text }) {
      handled.push(text)
      if (handled.length === 1) inbox.askQuestion(taskId, 'And the limit?')
      return 'I looked it up.'
    },
  })
  await expect.poll(() => inbox.tasks[0]?.waitingFor).toBe('person')
  inbox.answer(taskId, 'approve')
  await waiting
  expect(handled).toEqual(['Since when?', 'And the limit?'])
})

it('an error of the handler ends the wait, and the task stays open', async () => {
  const inbox = createTestInbox()
  const { taskId } = await inbox.client.createTask(payload)
  const waiting = inbox.client.waitForAnswer(taskId, {
    onQuestion() {
      throw new Error('The model is not available.')
    },
  })
  inbox.askQuestion(taskId, 'Which card?')
  await expect(waiting).rejects.toThrow('The model is not available.')
  const slow = inbox.client.waitForAnswer(taskId, {
    timeoutSeconds: 0.02,
    onQuestion: () => new Promise<string>(() => undefined),
  })
  await expect(slow).rejects.toBeInstanceOf(WaitTimeout)
  expect(inbox.tasks[0]).toMatchObject({ status: 'open', waitingFor: 'agent' })
})

it.each(['deadline', 'signal'])(
  'a finished reply is sent once more when the %s ends the wait',
  async (cause) => {
    const inbox = createTestInbox()
    const { taskId } = await inbox.client.createTask(payload)
    const stop = new AbortController()
    const sendUpdate = vi.fn<typeof inbox.client.sendUpdate>((id, update, signal) => {
      if (sendUpdate.mock.calls.length > 1) return inbox.client.sendUpdate(id, update, signal)
      if (cause === 'signal') setImmediate(() => stop.abort(new Error('Enough.')))
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    })
    const onQuestion = vi.fn(() => 'The debit card.')
    const options = {
      onQuestion,
      ...(cause === 'deadline' ? { timeoutSeconds: 0.05 } : { signal: stop.signal }),
    }
    const { questionId } = inbox.askQuestion(taskId, 'Which card?')
    const waiting = waitForAnswer({ ...inbox.client, sendUpdate }, taskId, options)
    await expect(waiting).rejects.toThrow(cause === 'deadline' ? WaitTimeout : 'Enough.')
    expect(inbox.tasks[0]).toMatchObject({
      questions: [{ questionId, answer: { message: 'The debit card.' } }],
    })
    const again = inbox.client.waitForAnswer(taskId, { onQuestion, timeoutSeconds: 0.01 })
    await expect(again).rejects.toBeInstanceOf(WaitTimeout)
    expect(onQuestion).toHaveBeenCalledOnce()
  },
)

it('a last reply that fails does not hide that the wait has timed out', async () => {
  const inbox = createTestInbox()
  const { taskId } = await inbox.client.createTask(payload)
  const unavailable = new HandrailProblem({
    ...{ type: 'about:blank', title: 'Unavailable', status: 503, code: 'unavailable' },
    ...{ detail: 'Restarting.', requestId: 'r' },
  })
  const sendUpdate = vi.fn(() => Promise.reject(unavailable))
  inbox.askQuestion(taskId, 'Which card?')
  const options = { timeoutSeconds: 0.05, onQuestion: () => 'The debit card.' }
  const waiting = waitForAnswer({ ...inbox.client, sendUpdate }, taskId, options)
  await expect(waiting).rejects.toBeInstanceOf(WaitTimeout)
  expect(sendUpdate).toHaveBeenCalledTimes(2)
})

it('an answer that is given while the handler runs is the result', async () => {
  const inbox = createTestInbox()
  const { taskId } = await inbox.client.createTask(payload)
  const waiting = inbox.client.waitForAnswer(taskId, {
    onQuestion() {
      inbox.answer(taskId, 'approve')
      return 'Too late.'
    },
  })
  inbox.askQuestion(taskId, 'Which card?')
  expect(await waiting).toMatchObject({ status: 'handled', questions: [{ text: 'Which card?' }] })
})

it('a function that needs an approval can explain itself, but not show other arguments', async () => {
  const inbox = createTestInbox()
  const refund = (amount: number) => `refunded ${amount}`
  const wrong: unknown = () => ({ message: 'x', revision: { context: { data: { argument1: 1 } } } })
  const options = { type: 'refund', onQuestion: () => 'It is the amount of the invoice.' }
  const outcome = inbox.client.requireApproval(refund, options)(129)
  const { taskId } = await inbox.openTask()
  const { questionId } = inbox.askQuestion(taskId, 'Why €129?')
  expect(await inbox.replyTo(questionId)).toMatchObject({ message: 'It is the amount of the invoice.' })
  inbox.answer(taskId, 'approve')
  expect(await outcome).toBe('refunded 129')
  const onQuestion = wrong as typeof options.onQuestion
  const revising = inbox.client.requireApproval(refund, { ...options, onQuestion })(129)
  inbox.askQuestion((await inbox.openTask()).taskId, 'Why €129?')
  await expect(revising).rejects.toMatchObject({ code: 'invalid_request', errors: [{ path: 'message' }] })
  expectTypeOf<Parameters<Client['requireApproval']>[1]>().toHaveProperty('onQuestion')
})

it('an answer with an action that a revision added is not mistaken for a rejection', async () => {
  const inbox = createTestInbox()
  const asked = inbox.client.ask({ task, actions: [approve] })
  const { taskId } = await inbox.openTask()
  const later = { id: 'later', title: 'Later' }
  await inbox.client.revise(taskId, { actions: [approve, later] }, 'It can wait.')
  inbox.answer(taskId, 'later')
  const error = await asked.catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(InvalidAnswer)
  expect(error).toMatchObject({
    message: `"${task.name}" was answered with "later", an action that a revision added.`,
  })
})

it('the test inbox refuses questions, replies and revisions as the service does', async () => {
  const { client, ...inbox } = createTestInbox()
  const closed = await client.createTask({ ...payload, acceptsQuestions: false })
  expect(() => inbox.askQuestion(closed.taskId, 'Why?')).toThrow('acceptsQuestions')
  const onExpire = { expiresInSeconds: 60, onExpire: { actionId: 'approve' } }
  const { taskId } = await client.createTask({ ...payload, ...onExpire })
  expect(() => inbox.askQuestion(taskId, '')).toThrow('text')
  const { questionId } = inbox.askQuestion(taskId, 'Why?')
  for (const text of ['When?', 'Where?']) inbox.askQuestion(taskId, text)
  expect(() => inbox.askQuestion(taskId, 'Who?')).toThrow('At most 3')
  await expect(client.reply(taskId, `${questionId.slice(0, -1)}9`, 'Because.')).rejects.toMatchObject({
    errors: [{ path: 'answers' }],
  })
  const wrong = [{ id: 'a', title: 'A', schema: { type: 'object', properties: { a: { type: 'text' } } } }]
  await expect(client.revise(taskId, { actions: wrong }, 'New actions.')).rejects.toMatchObject({
    errors: [{ path: expect.stringMatching(/^revision\.actions\[0\]\.schema/) }],
  })
  await expect(
    client.revise(taskId, { actions: [{ id: 'a', title: 'A' }] }, 'New actions.'),
  ).rejects.toMatchObject({ errors: [{ path: 'revision.actions' }] })
  await expect(
    client.getTask(taskId, { waitSeconds: 1, afterQuestion: `${questionId.slice(0, -1)}9` }),
  ).rejects.toMatchObject({ errors: [{ path: 'afterQuestion' }] })
  const replied = await client.reply(taskId, questionId, 'Because.', { idempotencyKey: 'r' })
  expect(replied).toMatchObject({ revision: 1, openQuestions: [{ text: 'When?' }, { text: 'Where?' }] })
  expect(await client.reply(taskId, questionId, 'Because.', { idempotencyKey: 'r' })).toEqual(replied)
  const unchanged = { revision: { task: { name: task.name } } }
  for (const options of [{}, unchanged])
    expect(await client.reply(taskId, questionId, 'Another.', options)).toEqual(replied)
  await expect(
    client.reply(taskId, questionId, 'Another.', { revision: { task: { name: 'x' } } }),
  ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('without a revision') })
  await expect(client.reply(taskId, questionId, 'Another.', { idempotencyKey: 'r' })).rejects.toMatchObject({
    code: 'idempotency_conflict',
  })
  const same = await client.revise(taskId, { task: { name: task.name } }, 'Nothing new.')
  expect(same.revision).toBe(1)
})

it('a server that shuts down returns an open task early, and is not asked again at once', async () => {
  vi.useFakeTimers()
  try {
    const inbox = createTestInbox()
    const { taskId } = await inbox.client.createTask(payload)
    const open = await inbox.client.getTask(taskId)
    const getTask = vi.fn(async () => open)
    const stop = new AbortController()
    const waiting = waitForAnswer({ ...inbox.client, getTask }, taskId, { signal: stop.signal })
    await vi.advanceTimersByTimeAsync(5_500)
    expect(getTask.mock.calls.length).toBeLessThan(8)
    stop.abort(new Error('Enough.'))
    await expect(waiting).rejects.toThrow('Enough.')
  } finally {
    vi.useRealTimers()
  }
})
