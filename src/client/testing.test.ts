import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { CreateTask } from '../contract/task.ts'
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

it('returns the same task for the same idempotency key', async () => {
  const { client, tasks } = createTestInbox()
  const input = {
    task: { type: 'q', name: 'n', description: 'd' },
    actions: [{ id: 'ok', title: 'OK' }],
  }
  const first = await client.createTask(input, { idempotencyKey: 'a' })
  expect(await client.createTask(input, { idempotencyKey: 'a' })).toEqual(first)
  expect(tasks).toHaveLength(1)
})
