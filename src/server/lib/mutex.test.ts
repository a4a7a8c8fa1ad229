import { expect, test } from 'vitest'
import { createMutex } from './mutex.ts'

const { signal } = new AbortController()

test('one runs at a time, in order, and nobody waits behind too many', async () => {
  const enter = createMutex(2)
  const order: number[] = []
  const leaveFirst = (await enter(signal))!
  const others = [1, 2].map(async (number) => {
    const leave = (await enter(signal))!
    order.push(number)
    leave()
  })
  expect(await enter(signal)).toBeUndefined()
  expect(order).toEqual([])
  leaveFirst()
  await Promise.all(others)
  expect(order).toEqual([1, 2])
  expect(await enter(signal)).toBeDefined()
})

test('whoever stops waiting makes room for another', async () => {
  const enter = createMutex(1)
  const leave = (await enter(signal))!
  const caller = new AbortController()
  const gone = enter(caller.signal)
  caller.abort('disconnected')
  await expect(gone).rejects.toBe('disconnected')
  const next = enter(signal)
  leave()
  expect(await next).toBeDefined()
})
