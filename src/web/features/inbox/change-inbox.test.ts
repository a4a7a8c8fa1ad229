import { describe, expect, test } from 'vitest'
import { afterPage, event, loaded, names, page, row } from '../../../../test/support/inbox-samples.ts'
import type { InboxEvent, InboxRow } from '../../../contract/inbox.ts'
import { parseInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { changeInbox, withoutAnswered } from './change-inbox.ts'
import { emptyInbox } from './inbox-state.ts'
import { createListQuery } from './list-query.ts'
import { isUnloaded, nextTask } from './listed-rows.ts'

const isMine = (assignee: string) => assignee === 'me@shop.example'

describe('the list of open tasks', () => {
  test('a new task is announced and does not move the list', () => {
    const before = loaded([row('a'), row('b')])
    const created = event('service/task_created', 'c', { row: row('c', { priority: 'urgent' }) })
    const after = changeInbox(before, { kind: 'event', cursor: afterPage, event: created })
    expect(names(after)).toEqual(['a', 'b'])
    expect(after.arrived).toHaveLength(1)
    expect(after.counts.open).toBe(3)
    const again = changeInbox(after, { kind: 'event', cursor: afterPage, event: created })
    expect(again.counts.open).toBe(3)
  })

  test('a new task in an empty list appears immediately', () => {
    const created = event('service/task_created', 'a', { row: row('a') })
    expect(names(changeInbox(loaded([]), { kind: 'event', cursor: afterPage, event: created }))).toEqual([
      'a',
    ])
  })

  test('late tasks that arrive in an empty list are sorted by target time within their priority', () => {
    const query = createListQuery(parseInboxFilters({ late: 'true' }), isMine)
    const empty = changeInbox(loaded([]), { kind: 'first-page', page: page([]), query })
    const answerBy = (minute: number) => `2026-11-15T10:0${minute}:00.000Z`
    const late = [
      row('a', { answerBy: answerBy(2) }),
      row('b', { answerBy: answerBy(1) }),
      row('c', { answerBy: answerBy(3), priority: 'high' }),
    ]
    expect(names(changeInbox(empty, { kind: 'refreshed', page: page(late) }))).toEqual(['c', 'b', 'a'])
  })

  test('starting over shows a task again whose answer was lost in a failover', () => {
    const answered = changeInbox(loaded([row('a'), row('b')]), { kind: 'answered', taskIds: new Set(['a']) })
    const again = { kind: 'first-page', page: page([row('a'), row('b')]) } as const
    expect(names(changeInbox(answered, again))).toEqual(['b'])
    const startedOver = changeInbox(answered, { ...again, startsOver: true })
    expect(names(startedOver)).toEqual(['a', 'b'])
    expect(names(changeInbox(startedOver, again))).toEqual(['a', 'b'])
  })

  test('only the newest 5,000 ended tasks are remembered', () => {
    const taskIds = new Set(Array.from({ length: 5_000 }, (_, n) => `task${n}`))
    const before = changeInbox(loaded([row('a')]), { kind: 'answered', taskIds })
    const handled = event('service/task_handled', 'a', { handledBy: 'mara@shop.example' })
    const { endedIds } = changeInbox(before, { kind: 'event', cursor: afterPage, event: handled })
    expect(endedIds.size).toBe(5_000)
    expect([...endedIds].slice(0, 1)).toEqual(['task1'])
    expect(endedIds.has('a')).toBe(true)
  })

  test('a row that a page repeats is listed once', () => {
    const first = loaded([row('a'), row('b')])
    const both = changeInbox(first, { kind: 'next-page', after: null, page: page([row('b'), row('c')]) })
    expect(names(both)).toEqual(['a', 'b', 'c'])
  })

  test('a page that was requested before the list was loaded again is not appended', () => {
    const first = changeInbox(emptyInbox, { kind: 'first-page', page: page([row('c')], 'after c') })
    const again = changeInbox(first, { kind: 'first-page', page: page([row('a')], 'after a') })
    const late = changeInbox(again, { kind: 'next-page', after: 'after c', page: page([row('d')]) })
    expect(names(late)).toEqual(['a'])
    expect(late.nextCursor).toBe('after a')
  })

  test('a task that ended elsewhere stays marked until ended rows are removed, and a late page does not bring it back', () => {
    const handled = event('service/task_handled', 'a', { handledBy: 'mara@shop.example' })
    const marked = changeInbox(loaded([row('a'), row('b')]), {
      kind: 'event',
      cursor: afterPage,
      event: handled,
    })
    expect(marked.rows[0]).toMatchObject({ ending: { how: 'handled', by: 'mara@shop.example' } })
    expect(marked.counts.open).toBe(1)
    expect(names(changeInbox(marked, { kind: 'remove-ended', keep: 'a' }))).toEqual(['a', 'b'])
    const removed = changeInbox(marked, { kind: 'remove-ended' })
    expect(names(removed)).toEqual(['b'])
    expect(changeInbox(removed, { kind: 'remove-ended' })).toBe(removed)
    const late = changeInbox(removed, { kind: 'next-page', after: null, page: page([row('a')]) })
    expect(names(late)).toEqual(['b'])
  })

  test('my own answer is counted once, although its event arrives too', () => {
    const answered = changeInbox(loaded([row('a'), row('b')]), { kind: 'answered', taskIds: new Set(['a']) })
    const afterEvent = changeInbox(answered, {
      kind: 'event',
      cursor: afterPage,
      event: event('service/task_handled', 'a'),
    })
    expect(afterEvent.counts.open).toBe(1)
    expect(names(afterEvent)).toEqual(['b'])
  })

  test('a task that others must answer too stays, marked, and a revision removes the mark', () => {
    const before = loaded([row('a', { review: { needed: 2, given: 0 } }), row('b')])
    const answer = { kind: 'answered-among-others', revisions: new Map([['a', 1]]) } as const
    const answered = changeInbox(before, answer)
    expect(answered.rows[0]).toMatchObject({ review: { needed: 2, given: 1, answered: true } })
    expect(answered.counts.open).toBe(2)
    expect(changeInbox(answered, answer).rows).toEqual(answered.rows)
    const update = { message: 'Changed the amount.', level: 'info', revision: 2 } as const
    const revised = changeInbox(answered, {
      kind: 'event',
      cursor: afterPage,
      event: event('service/task_updated', 'a', {
        update,
        row: row('a', { revision: 2, review: { needed: 2, given: 0 } }),
      }),
    })
    expect(revised.rows[0]).toMatchObject({ revision: 2, review: { given: 0 } })
    expect(changeInbox(revised, answer).rows).toEqual(revised.rows)
  })

  test('one of several answers ends the claim of the person who gave it', () => {
    const claim = { userId: 'usr_mara', name: 'Mara', until: '2026-11-15T09:02:00.000Z' }
    const answered = event('service/task_answered', 'a', {
      row: row('a', { review: { needed: 2, given: 1 } }),
    })
    const after = changeInbox(loaded([row('a', { claim, review: { needed: 2, given: 0 } })]), {
      kind: 'event',
      cursor: afterPage,
      event: answered,
    })
    expect(after.rows[0]).toMatchObject({ review: { needed: 2, given: 1 } })
    expect(after.rows[0]).not.toHaveProperty('claim')
  })

  test('undoing an answer leaves the task at its position', () => {
    const before = loaded([row('a'), row('b'), row('c')])
    const answered = withoutAnswered(before, new Set(['b']))
    expect(names(answered)).toEqual(['a', 'c'])
    expect(answered.counts.open).toBe(2)
    expect(withoutAnswered(before, new Set())).toBe(before)
  })

  test('a thread is listed in the section of its highest-priority task', () => {
    const state = loaded([
      row('a', { threadId: 't', priority: 'urgent' }),
      row('b', { threadId: 't', priority: 'low' }),
      row('c', { priority: 'high' }),
    ])
    expect(state.rows.map(({ section }) => section)).toEqual(['urgent', 'urgent', 'high'])
    expect(state.rows.map(({ sectionSetBy }) => sectionSetBy)).toEqual(['a', 'a', 'c'])
  })

  test('a task is counted in the section of its thread', () => {
    const created = event('service/task_created', 'c', { row: row('c', { threadId: 't', priority: 'low' }) })
    const state = changeInbox(loaded([row('a', { threadId: 't', priority: 'urgent' })]), {
      kind: 'event',
      cursor: afterPage,
      event: created,
    })
    expect(state.counts.byPriority).toMatchObject({ urgent: 2, low: 0 })
    const handled = event('service/task_handled', 'c')
    expect(
      changeInbox(state, { kind: 'event', cursor: afterPage, event: handled }).counts.byPriority,
    ).toMatchObject({
      urgent: 1,
      low: 0,
    })
  })

  test('new tasks are listed by priority as soon as the list is empty', () => {
    const created = (id: string, priority: InboxRow['priority']) =>
      ({
        kind: 'event',
        cursor: afterPage,
        event: event('service/task_created', id, { row: row(id, { priority }) }),
      }) as const
    const waiting = [created('b', 'low'), created('c', 'high')].reduce(changeInbox, loaded([row('a')]))
    expect(names(waiting)).toEqual(['a'])
    const answered = changeInbox(waiting, { kind: 'answered', taskIds: new Set(['a']) })
    expect(names(answered)).toEqual(['c', 'b'])
    expect(answered.arrived).toEqual([])
  })
})

test('the tasks of a thread that arrive in an empty list are listed together', () => {
  const arrived = [
    row('a', { threadId: 't', priority: 'urgent' }),
    row('b', { priority: 'high' }),
    row('c', { threadId: 't', priority: 'low' }),
  ]
  const after = changeInbox(loaded([]), { kind: 'refreshed', page: page(arrived) })
  expect(names(after)).toEqual(['a', 'c', 'b'])
  expect(after.rows.map(({ section }) => section)).toEqual(['urgent', 'urgent', 'high'])
})

describe('the filtered inbox', () => {
  const query = createListQuery(parseInboxFilters({ app: 'shop', assigned: 'me' }), isMine)
  const mine = { app: 'shop', assignedTo: 'me@shop.example' }
  const loadFiltered = (rows: InboxRow[], nextCursor: string | null = null) =>
    changeInbox(emptyInbox, { kind: 'first-page', page: page(rows, nextCursor), query })
  const addTask = (state: typeof emptyInbox, created: InboxRow) =>
    changeInbox(state, {
      kind: 'event',
      cursor: afterPage,
      event: event('service/task_created', created.taskId, { row: created }),
    })

  test('takes in only matching tasks, and counts only those', () => {
    let state = loadFiltered([row('a', mine)])
    for (const more of [
      { app: 'shop' },
      { ...mine, app: 'books' },
      { ...mine, assignedTo: 'mara@shop.example' },
    ])
      state = addTask(state, row('no', more))
    expect([state.arrived, state.counts.open]).toEqual([[], 1])
    state = addTask(state, row('b', mine))
    expect([state.arrived.length, state.counts.open]).toEqual([1, 2])
    state = changeInbox(state, {
      kind: 'event',
      cursor: afterPage,
      event: event('service/task_handled', 'not listed'),
    })
    expect(state.counts.open).toBe(2)
  })

  test('groups each task by its own priority, not by its thread', () => {
    const state = loadFiltered([
      row('a', { threadId: 't', priority: 'urgent' }),
      row('b', { threadId: 't', priority: 'low' }),
    ])
    expect(state.rows.map(({ section }) => section)).toEqual(['urgent', 'low'])
  })

  test('filtered by unassigned takes in only unassigned tasks', () => {
    const { matches } = createListQuery(parseInboxFilters({ assigned: 'none' }), isMine)
    expect([matches(row('a')), matches(row('b', mine))]).toEqual([true, false])
  })

  test('ignores invalid filters in the URL', () => {
    const filters = parseInboxFilters({
      app: 'x'.repeat(129),
      priority: 'high',
      assigned: 'mara',
      q: ' ',
      page: '2',
    })
    expect(filters).toEqual({ priority: 'high' })
    expect(parseInboxFilters({ priority: 'enormous', app: 'build' })).toEqual({ app: 'build' })
  })
})

describe('a refresh of the first page without a stream', () => {
  const refresh = (state: typeof emptyInbox, rows: InboxRow[], nextCursor: string | null = null) =>
    changeInbox(state, { kind: 'refreshed', page: page(rows, nextCursor) })
  const claim = { userId: 'usr_mara', name: 'Mara', until: '2026-11-15T10:00:00.000Z' }

  test('shows new tasks, ended tasks and claims without moving any row', () => {
    const before = loaded([row('a'), row('b'), row('c')])
    const after = refresh(before, [row('new'), row('a', { claim }), row('c')])
    expect(names(after)).toEqual(['a', 'b', 'c'])
    expect(after.rows[0]).toMatchObject({ claim })
    expect(after.rows[1]).toMatchObject({ ending: { how: 'missing' } })
    expect(after.arrived.map(({ taskId }) => taskId)).toEqual(['new'])
    expect(after.counts.open).toBe(3)
    expect(refresh(after, [row('a'), row('b'), row('c')])).toMatchObject({
      arrived: [],
      rows: [{}, { taskId: 'b' }, {}],
    })
    expect(refresh(after, [row('a'), row('b')]).rows[1]).not.toHaveProperty('ending')
  })

  test('does not mark rows that may be on a later page', () => {
    const before = loaded([row('a'), row('b'), row('c')])
    const after = refresh(before, [row('b')], 'more')
    expect(after.rows.map((listed) => 'ending' in listed)).toEqual([true, false, false])
  })
})

test('a page older than the last events hides no task that arrived since, and the tasks are counted again', () => {
  const created = (id: string) =>
    ({
      kind: 'event',
      cursor: afterPage,
      event: event('service/task_created', id, { row: row(id) }),
    }) as const
  const before = changeInbox(loaded([row('a')]), created('b'))
  const after = changeInbox(before, { kind: 'refreshed', page: page([row('a')]), isOutdated: true })
  expect(after).toMatchObject({ arrived: [{ taskId: 'b' }], areCountsUnsure: true })
  const shown = changeInbox(loaded([]), created('b'))
  const refreshed = changeInbox(shown, { kind: 'refreshed', page: page([]), isOutdated: true })
  expect(refreshed.rows[0]).not.toHaveProperty('ending')
})

describe('an event that the stream replays after a refresh', () => {
  const refreshed = changeInbox(loaded([row('a'), row('b')]), { kind: 'refreshed', page: page([row('b')]) })
  const replay = (state: typeof emptyInbox, replayed: InboxEvent, cursor = '1.9.99') =>
    changeInbox(state, { kind: 'event', event: replayed, cursor })

  test('does not change the counts, which include it already', () => {
    expect(replay(refreshed, event('service/task_handled', 'a')).counts.open).toBe(1)
    expect(replay(refreshed, event('service/task_handled', 'on a later page')).counts.open).toBe(1)
    const created = event('service/task_created', 'c', { row: row('c') })
    expect(replay(refreshed, created)).toMatchObject({ counts: { open: 1 }, arrived: [{ taskId: 'c' }] })
  })

  test('marks the row of a task that ended', () => {
    const handled = event('service/task_handled', 'a', { handledBy: 'mara@shop.example' })
    expect(replay(refreshed, handled).rows[0]).toMatchObject({ ending: { how: 'handled' } })
  })

  test('changes the counts if it happened after the refresh', () => {
    const handled = event('service/task_handled', 'on a later page')
    expect(replay(refreshed, handled, '1.10.11').counts.open).toBe(0)
    expect(replay(refreshed, handled, '2.1.1').counts.open).toBe(0)
  })
})

describe('many answers at once', () => {
  test('leave the list together and are each counted once', () => {
    const before = loaded([row('a'), row('b', { priority: 'high' }), row('c')])
    const afterEvent = changeInbox(before, {
      kind: 'event',
      cursor: afterPage,
      event: event('service/task_handled', 'a'),
    })
    const after = changeInbox(afterEvent, { kind: 'answered', taskIds: new Set(['a', 'b']) })
    expect(names(after)).toEqual(['c'])
    expect(after.counts).toMatchObject({ open: 1, byPriority: { high: 0, normal: 1 } })
  })
})

describe('a long list', () => {
  const pageOf = (n: number) => Array.from({ length: 100 }, (_, k) => row(`${n}-${k}`))
  const cursorOf = (n: number) => `after ${n}`
  const readTo = (last: number, keep?: string) => {
    let state = changeInbox(emptyInbox, { kind: 'first-page', page: page(pageOf(0), cursorOf(0)) })
    for (let n = 1; n <= last; n++) {
      const next = page(pageOf(n), cursorOf(n))
      state = changeInbox(state, { kind: 'next-page', after: state.nextCursor, page: next, keep })
    }
    return state
  }
  const loadedRows = ({ rows }: typeof emptyInbox) => rows.filter((listed) => !isUnloaded(listed))

  test('keeps every position, but only about 2,000 loaded rows and the displayed one', () => {
    const state = readTo(40, '3-7')
    expect(state.rows).toHaveLength(4_100)
    expect(loadedRows(state).length).toBeLessThanOrEqual(2_001)
    expect(loadedRows(state).map(({ taskId }) => taskId)).toContain('3-7')
    expect(state.rows[307]).toMatchObject({ name: '3-7' })
  })

  test('reloads a page from its cursor and drops rows that are no longer in it', () => {
    const unloaded = readTo(40)
    expect(unloaded.pages[5]).toBe(cursorOf(4))
    const again = changeInbox(unloaded, { kind: 'page-reloaded', n: 5, page: page(pageOf(5).slice(1)) })
    expect(again.rows[500]).toMatchObject({ taskId: '5-1', name: '5-1', section: 'normal' })
    expect(again.rows).toHaveLength(4_099)
    expect(loadedRows(again).length).toBeLessThanOrEqual(2_001)
  })

  test('removes a task immediately when it ends outside the loaded pages', () => {
    const unloaded = readTo(40)
    const after = changeInbox(unloaded, {
      kind: 'event',
      cursor: afterPage,
      event: event('service/task_cancelled', '2-2'),
    })
    expect(names(after)).not.toContain('2-2')
  })
})

describe('the next task', () => {
  const claim = { userId: 'usr_mara', name: 'Mara', until: '2026-11-15T10:00:00.000Z' }
  const rows = loaded([row('a'), row('b', { claim }), row('c')]).rows
  const now = Date.parse('2026-11-15T09:30:00.000Z')

  test('skips a task claimed by a colleague until the claim expires', () => {
    expect(nextTask(rows, 'a', 'usr_me', now)).toBe('c')
    expect(nextTask(rows, 'a', 'usr_me', now + 3_600_000)).toBe('b')
    expect(nextTask(rows, 'a', 'usr_mara', now)).toBe('b')
  })

  test('skips a task that this person has answered and others must answer too', () => {
    const answered = row('b', { review: { needed: 2, given: 1, answered: true } })
    expect(nextTask(loaded([row('a'), answered, row('c')]).rows, 'a', 'usr_me', now)).toBe('c')
  })

  test('at the end of the list is the nearest task before it', () => {
    expect(nextTask(rows, 'c', 'usr_me', now)).toBe('a')
    expect(nextTask(rows.slice(0, 1), 'a', 'usr_me', now)).toBeUndefined()
  })
})
