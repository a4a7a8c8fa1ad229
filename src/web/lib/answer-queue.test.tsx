import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../client/problem.ts'
import { AnswerQueue } from './answer-queue.ts'
import type { KeptAnswer } from './answer-store.ts'
import type { Answer, Outcome } from './send-answer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const me = { userId: 'usr_me', email: 'me@shop.example' }
const answer = (taskId: string, more: Partial<Answer> = {}): Answer => ({
  workspaceId: 'wsp_1',
  taskId,
  taskName: `Task ${taskId}`,
  actionId: 'approve',
  title: 'Approve',
  ...more,
})
const problem = (status: number) =>
  new HandrailProblem({
    type: 'about:blank',
    title: '',
    status,
    code: status === 0 ? 'unavailable' : 'invalid_request',
    detail: `Status ${status}`,
    requestId: 'req_1',
  })

/** A queue on a store in memory, and the tasks it was asked to send an answer to. */
function queueWith(outcomeOf: (taskId: string) => Outcome | Promise<Outcome> = () => ({ kind: 'sent' })) {
  const kept = new Map<string, KeptAnswer>()
  const asked: string[] = []
  const outliving: boolean[] = []
  const store = {
    keep: async (answers: KeptAnswer[]) => {
      for (const one of answers) kept.set(one.key, one)
      return true
    },
    forget: async (keys: string[]) => {
      for (const key of keys) kept.delete(key)
    },
    isOwn: async (key: string) => kept.has(key),
    adopt: async () => [] as KeptAnswer[],
    forgetAllOf: async () => kept.clear(),
  }
  const queue = new AnswerQueue(me, store, async ({ taskId }, _, keepalive) => {
    asked.push(taskId)
    outliving.push(keepalive)
    return await outcomeOf(taskId)
  })
  queue.start()
  const stages = () => queue.snapshot().pending.map(({ answer: { taskId }, stage }) => `${taskId} ${stage}`)
  return { queue, kept, asked, outliving, store, stages }
}

describe('answers that were given', () => {
  test('each keep their full time, and are sent once when it is up', async () => {
    const { queue, asked, kept } = queueWith()
    queue.give([answer('a')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(2_000)
    queue.give([answer('b')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(2_999)
    expect(asked).toEqual([])
    expect(kept.size).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(asked).toEqual(['a', 'b'])
    expect(queue.snapshot()).toMatchObject({ pending: [], sent: new Set(['a', 'b']) })
    expect(kept.size).toBe(0)
  })

  test('are taken back newest first; what was given to many tasks is one', async () => {
    const { queue, asked, kept } = queueWith()
    queue.give([answer('a')], { seconds: 5 })
    queue.give([answer('b'), answer('c')], { seconds: 5 })
    queue.give([answer('d')], { seconds: 5 })
    const taken = () => queue.takeBack().map(({ taskId }) => taskId)
    expect([taken(), taken(), taken(), taken()]).toEqual([['d'], ['b', 'c'], ['a'], []])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toEqual([])
    expect(kept.size).toBe(0)
  })

  test('cannot be taken back once they are on their way', async () => {
    let arrive: (outcome: Outcome) => void = () => undefined
    const { queue } = queueWith(() => new Promise((resolve) => (arrive = resolve)))
    const entryId = queue.give([answer('a')], { seconds: 5 })
    queue.sendNow(entryId)
    await vi.advanceTimersByTimeAsync(1)
    expect(queue.takeBack(entryId)).toEqual([])
    arrive({ kind: 'sent' })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot().sent.has('a')).toBe(true)
  })

  test('to a task that already has one that is not settled are not taken', () => {
    const { queue, stages } = queueWith()
    queue.give([answer('a')], { seconds: 5 })
    queue.give([answer('a', { actionId: 'decline' })], { seconds: 5 })
    expect(stages()).toEqual(['a held'])
  })
})

describe('while the service is away, answers', () => {
  test('wait, are tried one at a time, and go out when it is back', async () => {
    let isAway = true
    const { queue, asked, stages, kept } = queueWith(() =>
      isAway ? { kind: 'unsure', problem: problem(0) } : { kind: 'sent' },
    )
    queue.give(
      ['a', 'b', 'c'].map((id) => answer(id)),
      { seconds: 5 },
    )
    await vi.advanceTimersByTimeAsync(5_100)
    expect(stages()).toEqual(['a waiting', 'b waiting', 'c waiting'])
    const firstTry = asked.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked.length - firstTry).toBeLessThan(12)
    expect(kept.size).toBe(3)
    isAway = false
    queue.tryNow()
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot()).toMatchObject({ pending: [], sent: new Set(['a', 'b', 'c']) })
  })

  test('are not held up by one that the service fails on', async () => {
    const { queue, stages } = queueWith((id) =>
      id === 'a' ? { kind: 'unsure', problem: problem(500) } : { kind: 'sent' },
    )
    queue.give(
      ['a', 'b'].map((id) => answer(id)),
      { seconds: 0 },
    )
    await vi.advanceTimersByTimeAsync(100)
    expect(stages()).toEqual(['a waiting'])
  })

  test('are not sent when the session is over, and are once the person is back', async () => {
    let isOver = true
    const { queue, asked, stages } = queueWith(() =>
      isOver ? { kind: 'unsure', problem: problem(401) } : { kind: 'sent' },
    )
    queue.give([answer('a')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, stages()]).toEqual([['a'], ['a waiting']])
    isOver = false
    queue.start()
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual(['a', 'a'])
  })
})

describe('an answer', () => {
  test('that was refused says why, and its task takes it over', async () => {
    const failure = { isLost: false, problem: problem(400) }
    const { queue, kept } = queueWith(() => ({ kind: 'failed', failure }))
    const entryId = queue.give([answer('a')], { seconds: 0 })
    const settled = queue.settled(entryId)
    await vi.advanceTimersByTimeAsync(100)
    expect(await settled).toMatchObject({ stage: 'failed', failure })
    expect([...kept.values()]).toMatchObject([{ failure }])
    expect(queue.collect('b')).toBeUndefined()
    expect(queue.collect('a')).toMatchObject({ answer: { taskId: 'a' }, failure })
    expect(queue.collect('a')).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  test('that another tab has removed or sent is not sent again', async () => {
    const { queue, kept, asked } = queueWith()
    queue.give([answer('a')], { seconds: 5 })
    kept.clear()
    await vi.advanceTimersByTimeAsync(6_000)
    expect([asked, queue.snapshot().pending]).toEqual([[], []])
  })

  test('of a tab that is gone is taken over', async () => {
    const { queue, store, asked, kept } = queueWith()
    const left: KeptAnswer = {
      key: 'usr_me wsp_1 a gone.1',
      userId: 'usr_me',
      tabId: 'gone',
      entryId: 'gone.1',
      answer: answer('a'),
      stays: false,
      givenAt: 0,
      dueAt: 0,
    }
    kept.set(left.key, left)
    store.adopt = async () => [left]
    queue.tryNow()
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual(['a'])
  })

  test('given in two tabs to one task are sent one after the other, the older first', async () => {
    const arrivals: ((outcome: Outcome) => void)[] = []
    const { queue, store, kept, stages } = queueWith(() => new Promise((resolve) => arrivals.push(resolve)))
    const left: KeptAnswer = {
      key: 'usr_me wsp_1 a gone.1',
      userId: 'usr_me',
      tabId: 'gone',
      entryId: 'gone.1',
      answer: answer('a', { actionId: 'decline' }),
      stays: false,
      givenAt: 0,
      dueAt: 0,
    }
    kept.set(left.key, left)
    queue.give([answer('a')], { seconds: 5 })
    expect(kept.size).toBe(2)
    store.adopt = async () => [left]
    queue.tryNow()
    await vi.advanceTimersByTimeAsync(6_000)
    expect([arrivals.length, stages()]).toEqual([1, ['a sending', 'a queued']])
    arrivals[0]!({ kind: 'sent' })
    await vi.advanceTimersByTimeAsync(100)
    arrivals[1]!({ kind: 'failed', failure: { isLost: true, problem: problem(409) } })
    await vi.advanceTimersByTimeAsync(100)
    expect([stages(), kept.size]).toEqual([['a failed'], 1])
  })

  test('goes out at once when the page ends, unless it is too large to outlive it', async () => {
    const { queue, asked, outliving, stages } = queueWith()
    queue.give([answer('small')], { seconds: 5 })
    queue.give([answer('large', { data: { text: 'x'.repeat(50 * 1024) } })], { seconds: 5 })
    expect(queue.isLeavingSafe()).toBe(false)
    queue.flush()
    expect([asked, outliving]).toEqual([['small'], [true]])
    await vi.advanceTimersByTimeAsync(100)
    expect(stages()).toEqual(['large held'])
    await vi.advanceTimersByTimeAsync(5_000)
    expect([asked, outliving]).toEqual([
      ['small', 'large'],
      [true, false],
    ])
  })

  test('that a failover may have lost hides its task no longer', async () => {
    const { queue } = queueWith()
    queue.give([answer('a')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot().gone).toEqual(new Set(['a']))
    queue.startOver()
    expect(queue.snapshot()).toMatchObject({ gone: new Set(), sent: new Set() })
  })

  test('of someone who signs out is gone from this browser', async () => {
    let arrive: (outcome: Outcome) => void = () => undefined
    const { queue, kept, asked } = queueWith(() => new Promise((resolve) => (arrive = resolve)))
    queue.give([answer('a')], { seconds: 0 })
    queue.give([answer('b')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(1)
    await queue.discard()
    arrive({ kind: 'failed', failure: { isLost: true, problem: problem(409) } })
    await vi.advanceTimersByTimeAsync(10_000)
    expect([asked, kept.size, queue.snapshot().pending]).toEqual([['a'], 0, []])
  })
})
