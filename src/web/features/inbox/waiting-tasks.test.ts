import { describe, expect, test } from 'vitest'
import { afterPage, event, loaded, names, page, row } from '../../../../test/support/inbox-samples.ts'
import type { InboxEvent, InboxRow } from '../../../contract/inbox.ts'
import { changeInbox } from './change-inbox.ts'
import { emptyInbox } from './inbox-state.ts'
import { nextTask } from './listed-rows.ts'

describe('tasks that wait for the agent', () => {
  const conversation = (state: 'waiting' | 'replied' | 'unanswered', text = 'Which contract?') => ({
    conversation: { state, text, askedBy: 'nadia@shop.example', at: '2026-11-15T09:01:00.000Z' },
  })
  const question = { text: 'Which contract?', askedBy: 'nadia@shop.example' }
  const asked = (taskId: string) => event('service/task_question', taskId, { question })
  const replied = (taskId: string, fields: Partial<InboxRow> = {}) =>
    event('service/task_updated', taskId, {
      row: row(taskId, { ...conversation('replied', 'The new one'), ...fields }),
      update: { message: 'The new one', level: 'info', answers: 'qst_1' },
    })
  const apply = (state: typeof emptyInbox, ...events: InboxEvent[]) =>
    events.reduce(
      (before, next) => changeInbox(before, { kind: 'event', cursor: afterPage, event: next }),
      state,
    )
  /** The page of a list in which `waiting` wait for the agent. */
  const withWaiting = (rows: InboxRow[], waiting: InboxRow[], nextCursor: string | null = null) => {
    const first = page(rows, nextCursor)
    const counts = { ...first.counts, waiting: waiting.length }
    return changeInbox(emptyInbox, {
      kind: 'first-page',
      page: { ...first, rows: [...rows, ...waiting], counts },
    })
  }

  test('a question marks the row in place and moves it from the open to the waiting tasks in the counts', () => {
    const before = loaded([row('a', { priority: 'high' }), row('b')])
    const local = { ...question, at: '2026-11-15T09:01:00.000Z' }
    const mine = changeInbox(before, { kind: 'asked', taskId: 'a', question: local })
    // The event of the same question, and a second question, change no count.
    for (const after of [mine, apply(mine, asked('a')), apply(before, asked('a'), asked('a'))]) {
      expect(after.rows[0]).toMatchObject({ taskId: 'a', section: 'high', ...conversation('waiting') })
      expect(after.counts).toMatchObject({ open: 1, waiting: 1, byPriority: { high: 0, normal: 1 } })
    }
    expect(nextTask(mine.rows, 'b', 'usr_1', 0)).toBeUndefined()
    const loadedAgain = withWaiting([row('b')], [row('a', { priority: 'high', ...conversation('waiting') })])
    expect(loadedAgain.rows.map(({ taskId, section }) => [taskId, section])).toEqual([
      ['b', 'normal'],
      ['a', 'waiting'],
    ])
  })

  test('a waiting task neither lifts its thread nor is lifted by it', () => {
    const rows = withWaiting(
      [row('b', { threadId: 'case' })],
      [row('a', { threadId: 'case', priority: 'urgent', ...conversation('waiting') })],
    ).rows
    expect(rows.map(({ section }) => section)).toEqual(['normal', 'waiting'])
    const arrival = event('service/task_created', 'c', { row: row('c', { threadId: 'other' }) })
    expect(
      apply(withWaiting([], [row('a', conversation('waiting'))]), arrival).counts.byPriority.normal,
    ).toBe(1)
  })

  test('a reply marks a row that was asked in this session in place', () => {
    const after = apply(loaded([row('a'), row('b')]), asked('a'), replied('a', { revision: 2 }))
    expect(after.rows[0]).toMatchObject({ ...conversation('replied', 'The new one'), revision: 2 })
    expect(after.counts).toMatchObject({ open: 2, waiting: 0, byPriority: { normal: 2 } })
    expect(after.arrived).toEqual([])
  })

  test('a question that is older than the reply changes nothing', () => {
    const reply = {
      conversation: { ...conversation('replied').conversation, at: '2026-11-15T09:02:00.000Z' },
    }
    const earlier = {
      kind: 'asked',
      taskId: 'a',
      question: { ...question, at: '2026-11-15T09:01:00.000Z' },
    } as const
    const listed = loaded([row('a', reply)])
    const announced = apply(withWaiting([row('b')], [], 'cursor'), replied('a', reply))
    expect(announced.arrived).toHaveLength(1)
    for (const before of [listed, announced]) {
      expect(apply(before, asked('a'))).toEqual(before)
      expect(changeInbox(before, earlier)).toEqual(before)
    }
    const later = event('service/task_question', 'a', { question, at: '2026-11-15T09:03:00.000Z' })
    expect(apply(listed, later).rows[0]).toMatchObject({ conversation: { state: 'waiting' } })
  })

  test('a reply to a task at the end of the list, or on no loaded page, is announced like a new task', () => {
    const listed = apply(
      withWaiting([row('b')], [row('a', conversation('waiting'))]),
      replied('a'),
      replied('a'),
    )
    expect(names(listed)).toEqual(['b', 'a'])
    expect(listed.rows[1]).toMatchObject(conversation('replied', 'The new one'))
    expect(listed.arrived.map(({ taskId }) => taskId)).toEqual(['a'])
    expect(listed.counts).toMatchObject({ open: 2, waiting: 0 })
    const answered = changeInbox(listed, { kind: 'answered', taskIds: new Set(['a']) })
    expect([answered.arrived.length, answered.counts.open, answered.counts.waiting]).toEqual([0, 1, 0])

    const first = withWaiting([row('b')], [], 'cursor')
    const unlisted = apply({ ...first, counts: { ...first.counts, waiting: 1 } }, replied('a'))
    expect(unlisted.arrived.map(({ taskId }) => taskId)).toEqual(['a'])
    expect(unlisted.counts).toMatchObject({ open: 2, waiting: 0 })
  })

  test('a reply that a refresh has counted is announced if the refreshed page did not contain the task', () => {
    const before = withWaiting([row('b')], [row('a', conversation('waiting'))], 'cursor')
    const refreshed = changeInbox(before, { kind: 'refreshed', page: page([row('b')], 'cursor') })
    const replayed = { kind: 'event', cursor: '1.10.10', event: replied('a') } as const
    const after = changeInbox(refreshed, replayed)
    expect(after.arrived.map(({ taskId }) => taskId)).toEqual(['a'])
    expect(after.counts).toEqual(refreshed.counts)
  })

  test('a reply to a task whose row was unloaded counts it in the section of its thread', () => {
    const thread = [
      row('a', { threadId: 'case', priority: 'high' }),
      row('b', { threadId: 'case', priority: 'low' }),
    ]
    const pages = Array.from({ length: 12 }, (_, n) => page([row(`${n}`)], `after ${n}`))
    const long = pages.reduce(
      (state, next) => changeInbox(state, { kind: 'next-page', after: state.nextCursor, page: next }),
      changeInbox(emptyInbox, { kind: 'first-page', page: page(thread, 'cursor') }),
    )
    const counts = { ...long.counts, byPriority: { ...long.counts.byPriority, high: 2, low: 0 } }
    const after = apply({ ...long, counts }, asked('b'), replied('b'), event('service/task_expired', 'b'))
    expect(after.counts.byPriority).toMatchObject({ high: 1, low: 0 })
  })

  test('a reply while another question waits leaves the task where it is', () => {
    const still = event('service/task_updated', 'a', {
      row: row('a', conversation('waiting', 'And when?')),
      update: { message: 'The new one', level: 'info', answers: 'qst_1' },
    })
    const after = apply(withWaiting([row('b')], [row('a', conversation('waiting'))]), still)
    expect(after.rows[1]).toMatchObject(conversation('waiting', 'And when?'))
    expect([after.arrived.length, after.counts.waiting]).toEqual([0, 1])
  })

  test('a revision that answers no question changes the row and no count', () => {
    const revised = (taskId: string) =>
      event('service/task_updated', taskId, {
        row: row(taskId, { name: 'Renamed', revision: 2 }),
        update: { message: 'Corrected', level: 'info', revision: 2 },
      })
    const listed = apply(loaded([row('a')]), revised('a'))
    expect(listed.rows[0]).toMatchObject({ name: 'Renamed', revision: 2 })
    const unlisted = apply(loaded([row('a')]), revised('z'))
    expect([unlisted.arrived.length, unlisted.counts.open]).toEqual([0, 1])
  })

  test('a task that the agent left without a reply returns to people, marked', () => {
    const returned = event('service/task_returned', 'a', { row: row('a', conversation('unanswered')) })
    const after = apply(withWaiting([row('b')], [row('a', conversation('waiting'))]), returned)
    expect(after.rows[1]).toMatchObject(conversation('unanswered'))
    expect(after.arrived).toHaveLength(1)
    expect(after.counts).toMatchObject({ open: 2, waiting: 0 })
  })

  test('a waiting task that ends is removed from the waiting count', () => {
    const after = apply(loaded([row('a'), row('b')]), asked('a'), event('service/task_expired', 'a'))
    expect(after.counts).toMatchObject({ open: 1, waiting: 0 })
  })

  test('polling marks replies too, and keeps a waiting row that is on a later page', () => {
    const before = withWaiting([row('b')], [row('a', conversation('waiting'))])
    const fresh = page([row('a', conversation('replied')), row('b')])
    const refreshed = changeInbox(before, { kind: 'refreshed', page: fresh })
    expect(refreshed.rows[1]).toMatchObject(conversation('replied'))
    expect(refreshed.arrived.map(({ taskId }) => taskId)).toEqual(['a'])
    const inPlace = apply(loaded([row('a'), row('b')]), asked('a'))
    const kept = changeInbox(inPlace, { kind: 'refreshed', page: page([row('b')], 'cursor') })
    expect(kept.rows[0]).not.toHaveProperty('ending')
  })

  describe('that are on no loaded page', () => {
    const counts = {
      open: 3,
      waiting: 2,
      byPriority: { urgent: 0, high: 1, normal: 2, low: 0 },
      hasMore: false,
    }
    const first = { ...page([row('b')], 'cursor'), counts }
    const partlyLoaded = changeInbox(emptyInbox, { kind: 'first-page', page: first })

    test('are counted by the service again after each change, because their section is not known', () => {
      const ends = (['handled', 'cancelled', 'expired'] as const).map((end) =>
        event(`service/task_${end}`, 'z'),
      )
      const returned = event('service/task_returned', 'z', { row: row('z', conversation('unanswered')) })
      for (const change of [...ends, asked('z'), replied('z'), returned]) {
        const after = apply(partlyLoaded, change)
        expect(after.areCountsUnsure).toBe(true)
        const recounted = { kind: 'recounted', page: first, since: after.counts } as const
        expect(changeInbox(after, recounted)).toMatchObject({ counts, areCountsUnsure: false })
        // Something else changed during the request.
        const later = apply(after, event('service/task_created', 'n', { row: row('n') }))
        expect(changeInbox(later, recounted)).toBe(later)
      }
    })

    test('are not counted again if nothing about them is unknown', () => {
      const listed = event('service/task_handled', 'b')
      const created = event('service/task_created', 'n', { row: row('n') })
      const claimed = event('service/task_claimed', 'z')
      const revised = event('service/task_updated', 'z', {
        row: row('z', { revision: 2 }),
        update: { message: 'Corrected', level: 'info', revision: 2 },
      })
      // The person's own answer, whose row has left the list.
      const mine = changeInbox(partlyLoaded, { kind: 'answered', taskIds: new Set(['b']) })
      const after = [
        apply(partlyLoaded, listed, created, claimed, revised, event('service/task_expired', 'n')),
      ]
      for (const state of [...after, mine, apply(mine, listed)]) expect(state.areCountsUnsure).toBe(false)
      const replayed = changeInbox(partlyLoaded, { kind: 'event', cursor: '1.10.10', event: asked('z') })
      expect(replayed).toMatchObject({ counts, areCountsUnsure: false })
    })

    test('are counted correctly when a new task is asked about before it is listed, and then ends', () => {
      const arrived = event('service/task_created', 'n', { row: row('n', { priority: 'high' }) })
      const waits = apply(partlyLoaded, arrived, asked('n'))
      expect(waits.counts).toEqual({ ...counts, waiting: 3 })
      expect(waits.areCountsUnsure).toBe(false)
      expect(apply(waits, event('service/task_handled', 'n')).areCountsUnsure).toBe(true)
    })

    test('leave the counts when a person answers one that they opened by its link', () => {
      const arrived = apply(partlyLoaded, event('service/task_created', 'n', { row: row('n') }))
      expect(arrived.counts.open).toBe(4)
      const answered = changeInbox(arrived, { kind: 'answered', taskIds: new Set(['n']) })
      expect(answered).toMatchObject({ counts, areCountsUnsure: false })
      const unknown = changeInbox(partlyLoaded, { kind: 'answered', taskIds: new Set(['z']) })
      expect(unknown.areCountsUnsure).toBe(true)
    })
  })
})
