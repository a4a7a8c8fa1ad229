import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../client/problem.ts'
import { AnswerQueue } from './answer-queue.ts'
import type { StoredAnswer } from './answer-store.ts'
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

/** A queue with an in-memory store; `asked` lists the task ids that were sent. */
function queueWith(outcomeOf: (taskId: string) => Outcome | Promise<Outcome> = () => ({ kind: 'sent' })) {
  const kept = new Map<string, StoredAnswer>()
  const asked: string[] = []
  const outliving: boolean[] = []
  const store = {
    save: async (answers: StoredAnswer[]) => {
      for (const one of answers) kept.set(one.key, one)
      return true
    },
    remove: async (keys: string[]) => {
      for (const key of keys) kept.delete(key)
    },
    isOwn: async (key: string) => kept.has(key),
    adopt: async () => [] as StoredAnswer[],
    removeAllOf: async () => kept.clear(),
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

describe('answers', () => {
  test('each wait their full undo time and are then sent once', async () => {
    const { queue, asked, kept } = queueWith()
    queue.add([answer('a')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(2_000)
    queue.add([answer('b')], { seconds: 5 })
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

  test('are taken back newest first; a bulk answer counts as one', async () => {
    const { queue, asked, kept } = queueWith()
    queue.add([answer('a')], { seconds: 5 })
    queue.add([answer('b'), answer('c')], { seconds: 5 })
    queue.add([answer('d')], { seconds: 5 })
    const taken = () => queue.undo().map(({ taskId }) => taskId)
    expect([taken(), taken(), taken(), taken()]).toEqual([['d'], ['b', 'c'], ['a'], []])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toEqual([])
    expect(kept.size).toBe(0)
  })

  test('cannot be taken back once they are being sent', async () => {
    let arrive: (outcome: Outcome) => void = () => undefined
    const { queue } = queueWith(() => new Promise((resolve) => (arrive = resolve)))
    const entryId = queue.add([answer('a')], { seconds: 5 })
    queue.sendNow(entryId)
    await vi.advanceTimersByTimeAsync(1)
    expect(queue.undo(entryId)).toEqual([])
    arrive({ kind: 'sent' })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot().sent.has('a')).toBe(true)
  })

  test('to a task that already has a pending answer are ignored', () => {
    const { queue, stages } = queueWith()
    queue.add([answer('a')], { seconds: 5 })
    queue.add([answer('a', { actionId: 'decline' })], { seconds: 5 })
    expect(stages()).toEqual(['a held'])
  })
})

describe('while the service is unreachable, answers', () => {
  test('wait, are retried one at a time, and are sent when it recovers', async () => {
    let isAway = true
    const { queue, asked, stages, kept } = queueWith(() =>
      isAway ? { kind: 'unsure', problem: problem(0) } : { kind: 'sent' },
    )
    queue.add(
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
    queue.retryNow()
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot()).toMatchObject({ pending: [], sent: new Set(['a', 'b', 'c']) })
  })

  test('are not blocked by one that causes a server error', async () => {
    const { queue, stages } = queueWith((id) =>
      id === 'a' ? { kind: 'unsure', problem: problem(500) } : { kind: 'sent' },
    )
    queue.add(
      ['a', 'b'].map((id) => answer(id)),
      { seconds: 0 },
    )
    await vi.advanceTimersByTimeAsync(100)
    expect(stages()).toEqual(['a waiting'])
  })

  test('wait when the session has ended and are sent after the person signs in again', async () => {
    let isOver = true
    const { queue, asked, stages } = queueWith(() =>
      isOver ? { kind: 'unsure', problem: problem(401) } : { kind: 'sent' },
    )
    queue.add([answer('a')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, stages()]).toEqual([['a'], ['a waiting']])
    isOver = false
    queue.start()
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual(['a', 'a'])
  })
})

describe('an answer', () => {
  test('that was rejected has a reason and is returned to its task', async () => {
    const failure = { isLost: false, problem: problem(400) }
    const { queue, kept } = queueWith(() => ({ kind: 'failed', failure }))
    const entryId = queue.add([answer('a')], { seconds: 0 })
    const settled = queue.settled(entryId)
    await vi.advanceTimersByTimeAsync(100)
    expect(await settled).toMatchObject({ stage: 'failed', failure })
    expect([...kept.values()]).toMatchObject([{ failure }])
    expect(queue.takeReturned('b')).toBeUndefined()
    expect(queue.takeReturned('a')).toMatchObject({ answer: { taskId: 'a' }, failure })
    expect(queue.takeReturned('a')).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  test('that another tab removed or sent is not sent again', async () => {
    const { queue, kept, asked } = queueWith()
    queue.add([answer('a')], { seconds: 5 })
    kept.clear()
    await vi.advanceTimersByTimeAsync(6_000)
    expect([asked, queue.snapshot().pending]).toEqual([[], []])
  })

  test('of a closed tab is adopted and sent', async () => {
    const { queue, store, asked, kept } = queueWith()
    const left: StoredAnswer = {
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
    queue.retryNow()
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual(['a'])
  })

  test('to a task that two tabs answered is sent after the older one', async () => {
    const arrivals: ((outcome: Outcome) => void)[] = []
    const { queue, store, kept, stages } = queueWith(() => new Promise((resolve) => arrivals.push(resolve)))
    const left: StoredAnswer = {
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
    queue.add([answer('a')], { seconds: 5 })
    expect(kept.size).toBe(2)
    store.adopt = async () => [left]
    queue.retryNow()
    await vi.advanceTimersByTimeAsync(6_000)
    expect([arrivals.length, stages()]).toEqual([1, ['a sending', 'a queued']])
    arrivals[0]!({ kind: 'sent' })
    await vi.advanceTimersByTimeAsync(100)
    arrivals[1]!({ kind: 'failed', failure: { isLost: true, problem: problem(409) } })
    await vi.advanceTimersByTimeAsync(100)
    expect([stages(), kept.size]).toEqual([['a failed'], 1])
  })

  test('is sent immediately when the page closes, unless it is too large for keepalive', async () => {
    const { queue, asked, outliving, stages } = queueWith()
    queue.add([answer('small')], { seconds: 5 })
    queue.add([answer('large', { data: { text: 'x'.repeat(50 * 1024) } })], { seconds: 5 })
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

  test('that a failover may have lost no longer hides its task', async () => {
    const { queue } = queueWith()
    queue.add([answer('a')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot().hidden).toEqual(new Set(['a']))
    queue.startOver()
    expect(queue.snapshot()).toMatchObject({ hidden: new Set(), sent: new Set() })
  })

  test('of a person who signs out is deleted from this browser', async () => {
    let arrive: (outcome: Outcome) => void = () => undefined
    const { queue, kept, asked } = queueWith(() => new Promise((resolve) => (arrive = resolve)))
    queue.add([answer('a')], { seconds: 0 })
    queue.add([answer('b')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(1)
    await queue.discard()
    arrive({ kind: 'failed', failure: { isLost: true, problem: problem(409) } })
    await vi.advanceTimersByTimeAsync(10_000)
    expect([asked, kept.size, queue.snapshot().pending]).toEqual([['a'], 0, []])
  })
})
