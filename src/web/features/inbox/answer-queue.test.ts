import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Answer, AnswerQueue, mostBytesHeld } from './answer-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ways = () => ({ onBack: vi.fn(), onSettled: vi.fn() })

function answer(taskId: string, more: Partial<Answer> = {}) {
  return {
    taskId,
    actionId: 'approve',
    title: 'Approve',
    size: 2,
    stays: false,
    run: vi.fn(async () => {}),
    ...more,
  }
}

test('an answer is sent when its time is up, once, in a way that outlives the page', async () => {
  const queue = new AnswerQueue()
  const held = answer('a')
  const { onSettled } = hold(queue, held)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(held.run).not.toHaveBeenCalled()
  expect(queue.snapshot().held?.taskId).toBe('a')
  await vi.advanceTimersByTimeAsync(1)
  expect(held.run).toHaveBeenCalledExactlyOnceWith({ keepalive: true })
  expect(onSettled).toHaveBeenCalledExactlyOnceWith(undefined)
  expect(queue.snapshot()).toMatchObject({ held: undefined, sending: [], sent: new Set(['a']) })
})

test('until then it can be taken back, and is never sent', async () => {
  const queue = new AnswerQueue()
  const held = answer('a')
  const { onBack } = hold(queue, held)
  queue.takeBack()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(held.run).not.toHaveBeenCalled()
  expect(onBack).toHaveBeenCalledOnce()
  expect(queue.collect('b')).toBeUndefined()
  expect(queue.collect('a')).toEqual({ taskId: 'a', actionId: 'approve' })
  expect(queue.collect('a')).toBeUndefined()
})

test('the next answer sends the one that is held', () => {
  const queue = new AnswerQueue()
  const [first, second, third] = [answer('a'), answer('b'), answer('c')]
  hold(queue, first)
  hold(queue, second)
  expect(first.run).toHaveBeenCalledOnce()
  expect(second.run).not.toHaveBeenCalled()
  void queue.send(third)
  expect(second.run).toHaveBeenCalledOnce()
})

test('from the moment it is sent it cannot be taken back, and says that it is on its way', async () => {
  const queue = new AnswerQueue()
  let arrive = () => {}
  hold(queue, answer('a', { run: () => new Promise<void>((resolve) => (arrive = resolve)) }))
  queue.commit()
  queue.takeBack()
  expect(queue.snapshot()).toMatchObject({ held: undefined, returned: undefined, sending: [{ taskId: 'a' }] })
  arrive()
  await vi.waitFor(() => expect(queue.snapshot().sending).toEqual([]))
})

test('what was refused comes back with the reason', async () => {
  const queue = new AnswerQueue()
  const { onSettled } = hold(queue, answer('a', { run: () => Promise.reject(new Error('No line.')) }))
  queue.commit()
  await vi.waitFor(() => expect(queue.snapshot().failed?.problem.detail).toBe('No line.'))
  expect(onSettled).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ detail: 'No line.' }))
  expect(queue.snapshot().sent.has('a')).toBe(false)
  expect(queue.collect('a')).toMatchObject({ actionId: 'approve', problem: { detail: 'No line.' } })
})

test('what is too large to outlive the page is sent without that promise', () => {
  const queue = new AnswerQueue()
  const large = answer('a', { size: mostBytesHeld + 1 })
  void queue.send(large)
  expect(large.run).toHaveBeenCalledExactlyOnceWith({ keepalive: false })
})

function hold(queue: AnswerQueue, held: Answer) {
  const spies = ways()
  queue.hold(held, 5, spies)
  return spies
}
