import { expect, vi } from 'vitest'
import type { StoredAction } from '../../src/server/storage/engine/task-tables.ts'
import { insertHandled } from './handled-tasks.ts'
import type { Caller } from './http.ts'
import type { TestService, TestWorkspace } from './service.ts'
import { waitOptions } from './wait-options.ts'

export const refundActions: StoredAction[] = [
  { id: 'approve', title: 'Approve' },
  { id: 'decline', title: 'Decline', schema: { type: 'object', properties: { why: { type: 'string' } } } },
]
export const refunds = { app: 'shop', type: 'refund' }
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

type Agreement = {
  type?: string
  version?: string
  actions?: StoredAction[]
  data?: Record<string, unknown>
  context?: object
}

/**
 * Answers in a row that approve: with 60, a rule that approves answers tasks of the version from the
 * start.
 */
export async function insertAgreement(
  { databaseUrl }: TestService,
  { workspaceId }: TestWorkspace,
  more: Agreement = {},
  answers = 60,
): Promise<void> {
  const task = {
    ...refunds,
    actions: refundActions,
    actionId: 'approve',
    version: '1',
    context: { data: { amount: 10 } },
    ...more,
  }
  await insertHandled(
    databaseUrl,
    workspaceId,
    Array.from({ length: answers }, () => task),
  )
}

/** A workspace in which a rule that approves answers tasks of version 1 from the start. */
export async function workspaceWithHistory(
  service: TestService,
  more: Agreement = {},
): Promise<TestWorkspace> {
  const workspace = await service.workspace()
  await insertAgreement(service, workspace, more)
  return workspace
}

let sent = 0

/** What an agent sends about a small refund. The order differs each time, and so does the draw. */
export function refundTask(more: object = {}, data: object = {}): Record<string, unknown> {
  sent += 1
  return {
    ...refunds,
    version: '1',
    task: { name: 'Refund €10?', description: 'Is this right?' },
    context: { data: { amount: 10, order: sent, ...data } },
    actions: refundActions,
    ...more,
  }
}

export async function sendRefund(agent: Caller, more: object = {}, data: object = {}) {
  const { body, status } = await agent.post('/tasks', refundTask(more, data))
  expect(status, JSON.stringify(body)).toBe(201)
  return (await agent.get(`/tasks/${body.taskId}`)).body
}

/** Sends different tasks until the rule has decided one. */
export async function sendUntilDecided(workspace: TestWorkspace, more: object = {}, data: object = {}) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const record = await sendRefund(workspace.agent, more, data)
    if (record.status === 'handled') return record
  }
  throw new Error('The rule decided none of 20 tasks.')
}

export async function createRule(owner: Caller, more: object = {}) {
  const { body, status } = await owner.post('/rules', {
    name: 'Small refunds',
    ...refunds,
    when: [{ field: 'amount', is: 'atMost', value: 40 }],
    answer: { actionId: 'approve' },
    until: inDays(30),
    sample: 0.05,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

export async function readRule(person: Caller, ruleId: string) {
  return (await person.get(`/rules/${ruleId}`)).body
}

/** Waits until the rule looks like this. Its samples are judged every second. */
export async function waitForRule(person: Caller, ruleId: string, expected: object) {
  return await vi.waitFor(
    async () => {
      const rule = await readRule(person, ruleId)
      expect(rule).toMatchObject(expected)
      return rule
    },
    { ...waitOptions, interval: 200 },
  )
}
