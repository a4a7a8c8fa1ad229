import { expect, test } from 'vitest'
import type { Actor } from '../actor.ts'
import type { Service } from '../service.ts'
import { createTasks } from './create-tasks.ts'

test('each task of a batch is checked in its own turn of the event loop, so that other requests are served in between', async () => {
  let turn = 0
  const count = () => {
    turn++
    counter = setImmediate(count)
  }
  let counter = setImmediate(count)
  const turns: number[] = []
  // Without a name and a description they are refused before anything is stored.
  const inputs = Array.from({ length: 20 }, () => ({
    get task() {
      turns.push(turn)
      return {}
    },
    actions: [{ id: 'approve', title: 'Approve' }],
  }))
  const results = await createTasks({} as Service, {} as Actor, inputs, {})
  clearImmediate(counter)
  expect(results.map(({ status }) => status)).toEqual(inputs.map(() => 'rejected'))
  expect(new Set(turns).size).toBe(inputs.length)
})
