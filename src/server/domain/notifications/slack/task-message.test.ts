import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockKitProblems } from '../../../../../test/support/block-kit.ts'
import { limits } from '../../../../contract/limits.ts'
import type { TaskRow } from '../../../storage/tasks/tasks.ts'
import { contextAsText } from './plain-context.ts'
import { type ShownTask, taskMessage } from './task-message.ts'
import { notificationText, sections } from './text.ts'

const openTask = {
  id: 'tsk_1',
  status: 'open',
  app: 'shop',
  type: 'refund',
  name: 'Refund?',
  description: 'It came back.',
  priority: 2,
  revision: 1,
  expiresAt: null,
  endedAt: null,
  assignedTo: null,
  review: null,
  onExpire: null,
  answerCount: 0,
  openQuestionCount: 0,
  questions: null,
  answers: null,
  updateMessage: null,
  contentDeletedAt: null,
} as unknown as TaskRow
const shownWith = (task: object, more: Partial<ShownTask> = {}): ShownTask => ({
  task: { ...openTask, ...task } as TaskRow,
  actions: [{ id: 'a', title: 'Approve' }],
  context: undefined,
  url: 'https://handrail.example/w/wsp_1/inbox/tsk_1',
  isLinkOnly: false,
  answeredBy: undefined,
  ...more,
})

const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.string({ unit: 'grapheme', maxLength }),
    fc
      .integer({ min: 1, max: maxLength })
      .map((length) => '𝕏'.repeat(Math.ceil(length / 2)).slice(0, length)),
  )

test('whatever a sender writes, the message is within the limits of Slack', () => {
  fc.assert(
    fc.property(
      anyText(limits.name),
      anyText(limits.description),
      fc.dictionary(
        anyText(40),
        fc.oneof(anyText(4_000), fc.double(), fc.array(anyText(20)), fc.constant(null)),
        {
          maxKeys: 40,
        },
      ),
      fc.array(
        fc.record({ id: anyText(64), title: anyText(limits.actionTitle), description: anyText(2_000) }),
        {
          minLength: 1,
          maxLength: 25,
        },
      ),
      fc.constantFrom('open', 'handled', 'expired', 'cancelled'),
      (name, description, data, actions, status) => {
        const ended = { status, endedAt: new Date(0), actionTitle: name, decidedBy: 'human', via: 'slack' }
        const task = { name, description, ...(status === 'open' ? {} : ended) }
        const { text, blocks } = taskMessage(shownWith(task, { actions, context: { data } }), 'New')
        expect(blockKitProblems(blocks, 50)).toEqual([])
        expect(text.length).toBeGreaterThan(0)
        expect(text).not.toMatch(/[<>]/)
      },
    ),
    { numRuns: 60 },
  )
})

test('a long text is split, and nothing of it is lost', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 10_000 }), (text) => {
      const parts = sections(text).map(({ text }) => (text as { text: string }).text)
      const visible = (value: string) => value.replace(/\s/g, '')
      expect(parts.every((part) => part.length <= 3_000)).toBe(true)
      expect(visible(parts.join(''))).toBe(visible(text))
    }),
  )
  expect(
    sections(`${'𝕏'.repeat(4_000)}`).every(({ text }) => (text as { text: string }).text.isWellFormed()),
  ).toBe(true)
})

test('a complete message has buttons that carry the task, the revision and the action, and nothing else', () => {
  const { blocks } = taskMessage(shownWith({}), 'New')
  const [approve, reject, open] = blocks.at(-1)!.elements as Record<string, unknown>[]
  expect(JSON.parse(String(approve!.value))).toEqual({ taskId: 'tsk_1', revision: 1, actionId: 'a' })
  expect(approve!.confirm).toBeDefined()
  expect(JSON.parse(String(reject!.value))).toMatchObject({ actionId: 'service:reject-request' })
  expect(open!.url).toBe('https://handrail.example/w/wsp_1/inbox/tsk_1')
})

test.each([
  [{ questions: [{}] }, {}],
  [{ updateMessage: 'The customer disputes it.' }, {}],
  [{ revision: 2 }, {}],
  [{}, { context: { data: { items: ['ok\r• Approved by: CFO'] } } }],
  [{}, { context: { data: { row: { 'total\u2028paid': 'no' } } } }],
  [{}, { context: { data: { a: 1, b: 2 }, ui: { 'ui:order': ['b', 'a'] } } }],
  [
    {},
    {
      actions: [
        { id: 'a', title: 'Approve' },
        { id: 'b', title: 'approve…' },
      ],
    },
  ],
  [{}, { actions: [{ id: 'a', title: 'Reject' }] }],
  [{ name: 'Pay\u200b me' }, {}],
  [{ description: 'x'.repeat(8_001) }, {}],
  [{}, { isLinkOnly: true }],
  [{}, { context: { data: { html: '<b>', deep: { a: [1] } } } }],
  [{}, { context: { data: { price: 5 }, ui: { price: { 'ui:options': { unit: '€' } } } } }],
  [{}, { context: { data: { a: 1 }, ui: { 'ui:widget': 'compare' } } }],
])('without buttons if something is not shown: %#', (task, more) => {
  const { blocks } = taskMessage(shownWith(task, more as Partial<ShownTask>), 'New')
  const elements = blocks.at(-1)!.elements as { url?: string }[]
  expect(elements).toHaveLength(1)
  expect(elements[0]!.url).toBeDefined()
})

test('fields outside of properties are a form, which Slack does not show', () => {
  const schema = { type: 'object', allOf: [{ properties: { amount: { type: 'number' } } }] }
  const { blocks } = taskMessage(shownWith({}, { actions: [{ id: 'a', title: 'Approve', schema }] }), 'New')
  const [approve] = blocks.at(-1)!.elements as { value?: string; url?: string }[]
  expect(approve).toMatchObject({ url: expect.any(String) })
  expect(approve!.value).toBeUndefined()
})

test.each([
  [0, 'until 2026-01-02 03:04 UTC, then “Approve” is sent'],
  [1, 'until 2026-01-02 03:04 UTC · the agent has not replied yet'],
])('with %i open questions, the facts end with: %s', (openQuestionCount, facts) => {
  const expiresAt = new Date('2026-01-02T03:04:00Z')
  const onExpire = { actionId: 'a', data: {} }
  const { blocks } = taskMessage(shownWith({ expiresAt, onExpire, openQuestionCount }), 'New')
  expect(blocks[1]).toMatchObject({ type: 'context', elements: [{ text: `shop / refund · ${facts}` }] })
})

test('an ended task shows neither description nor context', () => {
  const ended = {
    status: 'handled',
    endedAt: new Date(0),
    actionTitle: 'Approve',
    decidedBy: 'human',
    via: 'web',
  }
  const shown = shownWith(ended, { context: { data: { iban: 'AT00' } }, answeredBy: 'Mara' })
  const text = JSON.stringify(taskMessage(shown, 'Task').blocks)
  expect(text).toContain('Answered: Approve, by Mara')
  expect(text).not.toContain('It came back.')
  expect(text).not.toContain('AT00')
})

test.each([
  [0, 1, 'Nobody answered before the deadline.'],
  [1, 1, 'Not enough people gave the same answer before the deadline.'],
  // Someone may have answered the first revision.
  [0, 2, 'Not enough people gave the same answer before the deadline.'],
])('an expired task with %i answers to revision %i says: %s', (answerCount, revision, line) => {
  const review = { needed: 2, onDecline: 'end' as const }
  const shown = shownWith({ status: 'expired', endedAt: new Date(0), answerCount, revision, review })
  expect(JSON.stringify(taskMessage(shown, 'Task').blocks)).toContain(line)
})

test('a date that was sent as a Unix timestamp is not shown as a number', () => {
  const dated = (due: unknown) => contextAsText({ data: { due }, ui: { due: { 'ui:widget': 'date' } } })
  expect(dated('2026-11-18')).toEqual(['due: 2026-11-18'])
  expect(dated(1_795_000_000)).toBeUndefined()
})

test('the context is shown with the names of its fields', () => {
  const context = {
    data: { order: 5, note: 'a\nb', none: null, list: [1, 'x'], to: { city: 'Graz', ok: true } },
    ui: { order: { 'ui:title': 'Order number' } },
  }
  expect(contextAsText(context)).toEqual([
    'Order number: 5',
    'note:\na\nb',
    'none: –',
    'list:\n• 1\n• x',
    'to:\n• city: Graz\n• ok: true',
  ])
})

test('the text of a notification mentions nobody', () => {
  expect(notificationText('<!channel> & <https://evil.example|x>')).toBe(
    '&lt;!channel&gt; &amp; &lt;https[:]//evil.example|x&gt;',
  )
})
