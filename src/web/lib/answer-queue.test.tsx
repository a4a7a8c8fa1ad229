import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../client/problem.ts'
import { AnswerQueue } from './answer-queue.ts'
import type { StoredAnswer } from './answer-store.ts'
import type { Answer, SendResult } from './send-answer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const me = { userId: 'usr_me', email: 'me@shop.example' }
const answer = (taskId: string, overrides: Partial<Answer> = {}): Answer => ({
  workspaceId: 'wsp_1',
  taskId,
  taskName: `Task ${taskId}`,
  actionId: 'approve',
  title: 'Approve',
  ...overrides,
})
const problem = (status: number) =>
  new HandrailProblem({
    type: 'about:blank',
    title: '',
    status,
    code: status === 0 ? 'unavailable' : status === 409 ? 'task_not_open' : 'invalid_request',
    detail: `Status ${status}`,
    requestId: 'req_1',
  })

/** A queue with an in-memory store; `sentIds` lists the task ids that were sent. */
function queueWith(
  outcomeOf: (taskId: string) => SendResult | Promise<SendResult> = () => ({ kind: 'sent' }),
) {
  const stored = new Map<string, StoredAnswer>()
  const sentIds: string[] = []
  const keepaliveFlags: boolean[] = []
  const store = {
    save: async (answers: StoredAnswer[]) => {
      for (const item of answers) stored.set(item.key, item)
      return true
    },
    remove: async (keys: string[]) => {
      for (const key of keys) stored.delete(key)
    },
    isOwn: async (key: string) => stored.has(key),
    adopt: async () => [] as StoredAnswer[],
    removeAllOf: async () => stored.clear(),
  }
  const queue = new AnswerQueue(me, store, async ({ taskId }, _, keepalive) => {
    sentIds.push(taskId)
    keepaliveFlags.push(keepalive)
    return await outcomeOf(taskId)
  })
  queue.start()
  const stages = () => queue.snapshot().pending.map(({ answer: { taskId }, stage }) => `${taskId} ${stage}`)
  return { queue, stored, sentIds, keepaliveFlags, store, stages }
}

describe('answers', () => {
  test('each wait their full undo time and are then sent once', async () => {
    const { queue, sentIds, stored } = queueWith()
    queue.add([answer('a')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(2_000)
    queue.add([answer('b')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(2_999)
    expect(sentIds).toEqual([])
    expect(stored.size).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(sentIds).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sentIds).toEqual(['a', 'b'])
    expect(queue.snapshot()).toMatchObject({ pending: [], sent: new Set(['a', 'b']) })
    expect(stored.size).toBe(0)
  })

  test('are taken back; a bulk answer counts as one', async () => {
    const { queue, sentIds, stored } = queueWith()
    const one = queue.add([answer('a')], { seconds: 5 })
    const bulk = queue.add([answer('b'), answer('c')], { seconds: 5 })
    const undo = (entryId: string) => queue.undo(entryId).map(({ taskId }) => taskId)
    expect([undo(bulk), undo(one), undo(one)]).toEqual([['b', 'c'], ['a'], []])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sentIds).toEqual([])
    expect(stored.size).toBe(0)
  })

  test('cannot be taken back once they are being sent', async () => {
    let respond: (outcome: SendResult) => void = () => undefined
    const { queue } = queueWith(() => new Promise((resolve) => (respond = resolve)))
    const entryId = queue.add([answer('a')], { seconds: 5 })
    queue.sendNow(entryId)
    await vi.advanceTimersByTimeAsync(1)
    expect(queue.undo(entryId)).toEqual([])
    respond({ kind: 'sent' })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot().sent.has('a')).toBe(true)
  })

  test('that were removed are no longer the last that was due, unless others of their entry are left', async () => {
    const { queue } = queueWith(() => ({ kind: 'unsure', problem: problem(0) }))
    queue.add([answer('a'), answer('b')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(100)
    const [first, second] = queue.snapshot().pending
    queue.remove(first!.key)
    expect(queue.snapshot().lastDue).toMatchObject({ taskName: 'Task a', count: 2 })
    queue.remove(second!.key)
    expect(queue.snapshot().lastDue).toBeUndefined()
  })

  test('do not hide a task that others must answer too', async () => {
    const { queue } = queueWith(() => ({ kind: 'sent', openRevision: 1 }))
    queue.add([answer('a')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot()).toMatchObject({ pending: [], sent: new Set(), hidden: new Set() })
    expect(queue.snapshot().answeredRevisions).toEqual(new Map([['a', 1]]))
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
    let isDown = true
    const { queue, sentIds, stages, stored } = queueWith(() =>
      isDown ? { kind: 'unsure', problem: problem(0) } : { kind: 'sent' },
    )
    queue.add(
      ['a', 'b', 'c'].map((id) => answer(id)),
      { seconds: 5 },
    )
    await vi.advanceTimersByTimeAsync(5_100)
    expect(stages()).toEqual(['a waiting', 'b waiting', 'c waiting'])
    const firstTry = sentIds.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sentIds.length - firstTry).toBeLessThan(12)
    expect(stored.size).toBe(3)
    isDown = false
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
    let isSessionOver = true
    const { queue, sentIds, stages } = queueWith(() =>
      isSessionOver ? { kind: 'unsure', problem: problem(401) } : { kind: 'sent' },
    )
    queue.add([answer('a')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect([sentIds, stages()]).toEqual([['a'], ['a waiting']])
    isSessionOver = false
    queue.start()
    await vi.advanceTimersByTimeAsync(100)
    expect(sentIds).toEqual(['a', 'a'])
  })
})

describe('an answer', () => {
  test('that the service refused has a reason and is returned to its task', async () => {
    const failure = { problem: problem(400) }
    const { queue, stored } = queueWith(() => ({ kind: 'failed', failure }))
    const entryId = queue.add([answer('a')], { seconds: 0 })
    const attempt = queue.whenAttempted(entryId)
    await vi.advanceTimersByTimeAsync(100)
    expect(await attempt).toMatchObject({ stage: 'failed', failure })
    expect([...stored.values()]).toMatchObject([{ failure }])
    expect(queue.takeReturned('b')).toBeUndefined()
    expect(queue.takeReturned('a')).toMatchObject({ answer: { taskId: 'a' }, failure })
    expect(queue.takeReturned('a')).toBeUndefined()
    expect(stored.size).toBe(0)
  })

  test('that another tab removed or sent is not sent again', async () => {
    const { queue, stored, sentIds } = queueWith()
    queue.add([answer('a')], { seconds: 5 })
    stored.clear()
    await vi.advanceTimersByTimeAsync(6_000)
    expect([sentIds, queue.snapshot().pending]).toEqual([[], []])
  })

  test('of a closed tab is adopted and sent', async () => {
    const { queue, store, sentIds, stored } = queueWith()
    const abandoned: StoredAnswer = {
      key: 'usr_me wsp_1 a closed.1',
      userId: 'usr_me',
      tabId: 'closed',
      entryId: 'closed.1',
      answer: answer('a'),
      stays: false,
      givenAt: 0,
      dueAt: 0,
    }
    stored.set(abandoned.key, abandoned)
    store.adopt = async () => [abandoned]
    queue.retryNow()
    await vi.advanceTimersByTimeAsync(100)
    expect(sentIds).toEqual(['a'])
  })

  test('to a task that two tabs answered is sent after the older one', async () => {
    const responses: ((outcome: SendResult) => void)[] = []
    const { queue, store, stored, stages } = queueWith(
      () => new Promise((resolve) => responses.push(resolve)),
    )
    const abandoned: StoredAnswer = {
      key: 'usr_me wsp_1 a closed.1',
      userId: 'usr_me',
      tabId: 'closed',
      entryId: 'closed.1',
      answer: answer('a', { actionId: 'decline' }),
      stays: false,
      givenAt: 0,
      dueAt: 0,
    }
    stored.set(abandoned.key, abandoned)
    queue.add([answer('a')], { seconds: 5 })
    expect(stored.size).toBe(2)
    store.adopt = async () => [abandoned]
    queue.retryNow()
    await vi.advanceTimersByTimeAsync(6_000)
    expect([responses.length, stages()]).toEqual([1, ['a sending', 'a queued']])
    responses[0]!({ kind: 'sent' })
    await vi.advanceTimersByTimeAsync(100)
    responses[1]!({ kind: 'failed', failure: { problem: problem(409) } })
    await vi.advanceTimersByTimeAsync(100)
    expect([stages(), stored.size]).toEqual([['a failed'], 1])
  })

  test('is sent immediately when the page closes, unless it is too large for keepalive', async () => {
    const { queue, sentIds, keepaliveFlags, stages } = queueWith()
    queue.add([answer('small')], { seconds: 5 })
    queue.add([answer('large', { data: { text: 'x'.repeat(50 * 1024) } })], { seconds: 5 })
    expect(queue.isLeavingSafe()).toBe(false)
    queue.flush()
    expect([sentIds, keepaliveFlags]).toEqual([['small'], [true]])
    await vi.advanceTimersByTimeAsync(100)
    expect(stages()).toEqual(['large held'])
    await vi.advanceTimersByTimeAsync(5_000)
    expect([sentIds, keepaliveFlags]).toEqual([
      ['small', 'large'],
      [true, false],
    ])
  })

  test('is sent once when the page closes while the browser is still storing it', async () => {
    const { queue, sentIds, keepaliveFlags, store } = queueWith()
    let endSaving: (isStored: boolean) => void = () => undefined
    store.save = () => new Promise((resolve) => (endSaving = resolve))
    queue.sendNow(queue.add([answer('a')], { seconds: 5 }))
    await vi.advanceTimersByTimeAsync(100)
    expect(sentIds).toEqual([])
    expect(queue.isLeavingSafe()).toBe(true)
    queue.flush()
    expect([sentIds, keepaliveFlags]).toEqual([['a'], [true]])
    endSaving(true)
    await vi.advanceTimersByTimeAsync(100)
    expect([sentIds, queue.snapshot().pending]).toEqual([['a'], []])
  })

  test('that is not stored is safe only in a keepalive request, or if one can still be started', async () => {
    const { queue, store } = queueWith(() => new Promise(() => undefined))
    store.save = async () => false
    queue.add([answer('small')], { seconds: 5 })
    expect(queue.isLeavingSafe()).toBe(true)
    queue.flush()
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.isLeavingSafe()).toBe(true)
    queue.add([answer('large', { data: { text: 'x'.repeat(50 * 1024) } })], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.isLeavingSafe()).toBe(false)
  })

  test('that is not stored is unsafe while the queue is stopped, for example because the session has ended', () => {
    const { queue, store } = queueWith()
    store.save = async () => false
    queue.add([answer('a')], { seconds: 5 })
    queue.stop()
    expect(queue.isLeavingSafe()).toBe(false)
  })

  test('in bulk is sent in full if the page stays open after only a part fits into keepalive', async () => {
    const { queue, sentIds, keepaliveFlags, stages } = queueWith()
    const taskIds = ['a', 'b', 'c']
    const data = { text: 'x'.repeat(20 * 1024) }
    queue.add(
      taskIds.map((taskId) => answer(taskId, { data })),
      { seconds: 5 },
    )
    queue.flush()
    expect([sentIds, keepaliveFlags]).toEqual([
      ['a', 'b'],
      [true, true],
    ])
    expect(stages()).toEqual(['a sending', 'b sending', 'c queued'])
    expect(queue.snapshot().lastDue).toMatchObject({ taskName: 'Task a', count: 3 })
    await vi.advanceTimersByTimeAsync(100)
    expect([sentIds, stages()]).toEqual([taskIds, []])
  })

  test('that needs two-factor authentication is sent once it is set up, and delays no other workspace', async () => {
    let isSetUp = false
    const { queue, sentIds, stages } = queueWith((taskId) =>
      taskId === 'a' && !isSetUp ? { kind: 'unsure', problem: problem(403) } : { kind: 'sent' },
    )
    const others = ['b', 'c', 'd', 'e'].map((taskId) => answer(taskId, { workspaceId: 'wsp_2' }))
    queue.add([answer('a'), ...others], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(100)
    expect([sentIds, stages()]).toEqual([['a', 'b', 'c', 'd', 'e'], ['a waiting']])
    isSetUp = true
    queue.retryNow()
    await vi.advanceTimersByTimeAsync(100)
    expect(stages()).toEqual([])
  })

  test('that a failover may have lost no longer hides its task', async () => {
    const { queue } = queueWith()
    queue.add([answer('a')], { seconds: 0 })
    await vi.advanceTimersByTimeAsync(100)
    expect(queue.snapshot().hidden).toEqual(new Set(['a']))
    queue.forgetSent()
    expect(queue.snapshot()).toMatchObject({ hidden: new Set(), sent: new Set() })
  })

  test('of a person who signs out is deleted from this browser', async () => {
    let respond: (outcome: SendResult) => void = () => undefined
    const { queue, stored, sentIds } = queueWith(() => new Promise((resolve) => (respond = resolve)))
    queue.add([answer('a')], { seconds: 0 })
    queue.add([answer('b')], { seconds: 5 })
    await vi.advanceTimersByTimeAsync(1)
    await queue.discard()
    respond({ kind: 'failed', failure: { problem: problem(409) } })
    await vi.advanceTimersByTimeAsync(10_000)
    expect([sentIds, stored.size, queue.snapshot().pending]).toEqual([['a'], 0, []])
  })
})
