import { describe, expect, test } from 'vitest'
import type { Handled } from '../../contract/task-answer.ts'
import { type CardTask, describeTask } from './describe-task.ts'

const now = Date.parse('2026-11-17T12:00:00.000Z')
const at = '2026-11-17T11:00:00.000Z'
const open: CardTask = {
  taskId: 'tsk_1',
  status: 'open',
  waitingFor: 'person',
  name: 'Refund?',
  description: 'It broke.',
}
const handled = (fields: Partial<Handled>): CardTask => ({
  ...open,
  status: 'handled',
  handled: {
    actionId: 'approve',
    actionTitle: 'Approve',
    data: {},
    handledBy: 'ana@example.com',
    handledAt: at,
    decidedBy: 'human',
    via: 'web',
    revision: 1,
    ...fields,
  },
})

const givenBy = (by: string) => ({
  actionId: 'approve',
  actionTitle: 'Approve',
  data: {},
  by,
  at,
  via: 'web' as const,
})

/** Without the characters that isolate names from the sentence. */
const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '')
const shown = (task: CardTask) => {
  const { state, tone, lines } = describeTask(task, now)
  const [last] = lines.slice(-1)
  return [state, tone, plain(last?.text ?? ''), plain(last?.detail ?? '').replace(/, [^,]*$/, '')]
}

describe('the words of the card', () => {
  const review = { needed: 2, given: 1, onDecline: 'end' as const }
  test.each<[string, CardTask, string[]]>([
    ['nothing is known yet', { name: 'Refund?' }, ['Sending', 'plain', '', '']],
    ['only the id is known', { taskId: 'tsk_1' }, ['Sent', 'info', '', '']],
    [
      'it is not assigned',
      open,
      ['Waiting for a person', 'info', 'Not assigned', 'Can be answered by any member'],
    ],
    [
      'a member has it',
      { ...open, assignedTo: 'ana@example.com' },
      ['Waiting for a person', 'info', 'Assigned to ana@example.com', ''],
    ],
    [
      'a group has it',
      { ...open, assignedTo: 'group:finance', review: { ...review, needed: 1, by: ['group:finance'] } },
      ['Waiting for a person', 'info', 'Assigned to the group finance', ''],
    ],
    [
      'one of two answers is given',
      { ...open, review: { ...review, by: ['group:finance', 'omar@example.com'] } },
      [
        'Waiting for a person',
        'info',
        '2 people must give the same answer. Answers so far: 1',
        'Can be answered by the group finance and omar@example.com',
      ],
    ],
    [
      'a policy restricts the people that the sender named',
      {
        ...open,
        review: { ...review, needed: 1, by: ['group:finance'], within: ['group:leads', 'omar@example.com'] },
      },
      [
        'Waiting for a person',
        'info',
        'Not assigned',
        'Can be answered by the group finance if they are also among the group leads and omar@example.com',
      ],
    ],
    [
      'people are excluded',
      { ...open, review: { ...review, needed: 1, notBy: ['mara@example.com'] } },
      [
        'Waiting for a person',
        'info',
        'Not assigned',
        'Can be answered by any member except mara@example.com',
      ],
    ],
    [
      'everybody who was named has left',
      { ...open, review: { ...review, needed: 1, by: [] } },
      [
        'Waiting for a person',
        'info',
        'Not assigned',
        'Can be answered by admins only: the people or groups that were named are no longer in the workspace',
      ],
    ],
    ['it was answered', handled({}), ['Answered', 'plain', '“Approve”', 'ana@example.com']],
    [
      'two people answered',
      handled({ answers: [givenBy('ana@example.com'), givenBy('omar@example.com')] }),
      ['Answered', 'plain', '“Approve”', '2 people answered'],
    ],
    [
      'it was answered with an address that is not verified',
      handled({ handledByVerified: false }),
      ['Answered', 'plain', '“Approve”', 'ana@example.com (not verified)'],
    ],
    [
      'a rule answered',
      handled({ decidedBy: 'rule', handledBy: 'service:rule' }),
      ['Answered by a rule', 'plain', '“Approve”', 'By a standing rule'],
    ],
    [
      'the deadline answered',
      handled({ decidedBy: 'timeout', actionTitle: 'Decline' }),
      ['Answered', 'plain', '“Decline”', 'Automatically, at the deadline'],
    ],
    [
      'it was rejected',
      handled({ actionId: 'service:reject-request' }),
      ['Rejected', 'neg', 'The task was rejected.', 'ana@example.com'],
    ],
    [
      'it was marked done',
      handled({ actionId: 'service:mark-done' }),
      ['Marked done', 'plain', 'The task was marked done.', 'ana@example.com'],
    ],
    [
      'it expired',
      { ...open, status: 'expired' },
      ['Expired', 'warn', 'Nobody answered before the deadline.', ''],
    ],
    [
      'it expired after one of two answers',
      { ...open, status: 'expired', review: { needed: 2, onDecline: 'end', given: 1 } },
      ['Expired', 'warn', 'Not enough people gave the same answer before the deadline.', ''],
    ],
    [
      'it expired, and people may have answered an earlier revision',
      { ...open, status: 'expired', revision: 2, review: { needed: 2, onDecline: 'end', given: 0 } },
      ['Expired', 'warn', 'Not enough people gave the same answer before the deadline.', ''],
    ],
    [
      'it was cancelled without a reason',
      { ...open, status: 'cancelled', cancelled: { at } },
      ['Cancelled', 'plain', 'It was cancelled.', expect.any(String)],
    ],
  ])('%s', (_, task, expected) => {
    expect(shown(task)).toEqual(expected)
  })

  test('a question that has no reply is shown, an earlier one is not', () => {
    const question = {
      questionId: 'qst_1',
      kind: 'changes' as const,
      askedBy: 'ana@example.com',
      askedAt: at,
    }
    const answer = { message: 'Done.', updateId: 'upd_1', at }
    const questions = [
      { ...question, text: 'First?', answer },
      { ...question, text: 'Second?' },
    ]
    const { state, lines } = describeTask({ ...open, waitingFor: 'agent', questions }, now)
    expect(state).toBe('Waiting for the agent')
    expect(plain(lines[0]!.text)).toBe('“Second?”')
    expect(plain(lines[0]!.detail!)).toMatch(/^ana@example.com requested changes, /)
    expect(lines).toHaveLength(2)
  })

  test('deleted content is said to be deleted', () => {
    const latestUpdate = { updateId: 'upd_1', message: '', level: 'info' as const, at }
    const cleared = { name: '', description: '', latestUpdate, contentDeletedAt: at }
    const task = { ...handled({ actionTitle: 'approve' }), ...cleared }
    const { name, description, lines } = describeTask(task, now)
    expect(lines).toHaveLength(1)
    expect([name, plain(lines[0]!.text)]).toEqual(['Content deleted', '“approve”'])
    expect(description).toMatch(/^The content was deleted at /)
  })

  test('a name is never cut inside a surrogate pair', () => {
    const { name } = describeTask({ ...open, name: `${'x'.repeat(199)}😀` }, now)
    expect(plain(name)).toBe(`${'x'.repeat(199)}…`)
  })

  test('texts are shortened, isolated, and show bidirectional controls by name', () => {
    const { name, description } = describeTask(
      { ...open, name: 'pay \u202e001', description: 'y'.repeat(100_000) },
      now,
    )
    expect(name).toBe('\u2068pay [RLO]001\u2069')
    expect(description).toHaveLength(502)
  })
})
