import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { HandrailProblem } from '../../../../client/problem.ts'
import type { TimelineEntry } from '../../../../contract/inbox.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { Timeline } from './timeline.tsx'

const task = { taskId: 'tsk_1', threadId: 'refunds', app: 'shop' } as TaskRecord
const base = { taskId: 'tsk_1', taskName: 'Refund €40?', at: '2026-11-15T09:00:00.000Z' } as const
const other = { ...base, taskId: 'tsk_2', taskName: 'Refund €90?' } as const

type Page = { entries: TimelineEntry[]; nextCursor: string | null }

function show(timeline: (threadId: string, cursor?: string) => Promise<Page>, shown = task) {
  const api = { timeline, members: async () => ({ members: [] }) }
  const session = { me: {}, workspaceId: 'wsp_1', api } as never
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <WorkspaceContext value={session}>
        <Timeline task={shown} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

async function sentences(entries: TimelineEntry[], shown = task) {
  show(async () => ({ entries, nextCursor: null }), shown)
  return (await screen.findAllByRole('listitem')).map((item) => item.querySelector('span')!.textContent)
}

test('an answer at the deadline or by a rule is not attributed to a person', async () => {
  const handled = { ...base, kind: 'handled', actionId: 'decline', actionTitle: 'Decline' } as const
  expect(
    await sentences([
      { ...handled, by: 'mara@shop.example', decidedBy: 'human' },
      { ...handled, by: 'service:timeout', decidedBy: 'timeout' },
      { ...handled, by: 'service:rule', decidedBy: 'rule' },
    ]),
  ).toEqual([
    'mara@shop.example answered “Decline”',
    'Answered “Decline” automatically, at the deadline',
    'Rule answered “Decline”',
  ])
})

test('a task that several people answered is not attributed to one of them', async () => {
  const handled = { kind: 'handled', actionTitle: 'Approve', by: 'mara@shop.example' } as const
  const shown = { ...task, handled: { answers: [{}, {}] } } as TaskRecord
  expect(
    await sentences(
      [
        { ...base, ...handled },
        { ...other, ...handled },
      ],
      shown,
    ),
  ).toEqual(['2 people answered. Result: “Approve”', 'mara@shop.example answered “Approve” in Refund €90?'])
})

test('marks what people did, what ended a task without them, and everything else', async () => {
  await sentences([
    ...(['human', 'timeout', 'rule'] as const).map(
      (decidedBy) => ({ ...base, kind: 'handled', decidedBy }) as const,
    ),
    ...(
      ['question', 'note', 'assigned', 'cancelled', 'expired', 'reminded', 'escalated', 'created'] as const
    ).map((kind) => ({ ...base, kind })),
  ])
  const marks = [...document.querySelectorAll('li > i')].map((mark) => mark.className.split(' ').at(-1))
  expect(marks).toEqual('person ended ended person person person ended ended info info info'.split(' '))
})

test('entries of other tasks in the thread name their task', async () => {
  expect(
    await sentences([
      { ...base, kind: 'created', app: 'shop' },
      { ...other, kind: 'created', app: 'depot' },
      { ...other, kind: 'reminded' },
      { ...other, kind: 'update', message: 'Looking', level: 'info' },
      { ...base, kind: 'cancelled', message: 'Settled' },
      { ...other, kind: 'cancelled', message: 'Settled' },
      { ...other, kind: 'expired' },
      { ...other, taskName: '', kind: 'created', app: 'depot' },
    ]),
  ).toEqual([
    'shop created this task',
    'depot created Refund €90?',
    'Reminder in Refund €90?',
    'Looking in Refund €90?',
    'Cancelled: Settled',
    'Cancelled in Refund €90?: Settled',
    'The deadline passed in Refund €90?',
    'depot created a task with deleted content',
  ])
  expect(document.querySelector('[class*="undefined"]')).toBeNull()
})

test('a question says what was asked for, and in which task', async () => {
  const question = { kind: 'question', by: 'mara@shop.example' } as const
  expect(
    await sentences([
      { ...base, ...question, questionKind: 'question', message: 'Which card?' },
      { ...other, ...question, questionKind: 'changes', message: 'Half of it' },
      { ...base, ...question, questionKind: 'question' },
    ]),
  ).toEqual([
    'mara@shop.example asked the agent: “Which card?”',
    'mara@shop.example requested changes in Refund €90?: “Half of it”',
    'mara@shop.example asked the agent (message deleted)',
  ])
})

test('a note without its text says that it was deleted', async () => {
  const note = { kind: 'note', by: 'mara@shop.example' } as const
  expect(
    await sentences([
      { ...base, ...note, message: 'Ask Ben' },
      { ...base, ...note },
    ]),
  ).toEqual(['mara@shop.example wrote a note: “Ask Ben”', 'mara@shop.example wrote a note (message deleted)'])
})

test('entries stay when the next page fails, and the page can be loaded again', async () => {
  let failures = 1
  show(async (_, cursor) => {
    if (!cursor) return { entries: [{ ...base, kind: 'created' }], nextCursor: 'next' }
    if (failures-- > 0) throw new HandrailProblem({ status: 503, title: 'Unavailable' } as never)
    return { entries: [{ ...base, kind: 'expired' }], nextCursor: null }
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  await screen.findByText(/The timeline couldn't be loaded/)
  expect(screen.getByText(/created this task/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /again|Retry/i }))
  await screen.findByText('The deadline passed')
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})
