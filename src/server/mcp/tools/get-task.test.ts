import { afterEach, describe, expect, test, vi } from 'vitest'
import type { GetTask } from '../../../contract/task.ts'
import { getTask } from './get-task.ts'
import type { ToolContext } from './tool.ts'

afterEach(() => vi.useRealTimers())

/** Calls get_task against an API whose requests take as long as they wait, times `speed`. */
async function callWith(options: {
  waitSeconds: number
  progress?: boolean
  speed?: number
  statuses: string[]
}) {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const waits: number[] = []
  const statuses = [...options.statuses]
  const client = {
    async getTask(_taskId: string, { waitSeconds = 0 }: GetTask) {
      waits.push(waitSeconds)
      vi.setSystemTime(Date.now() + waitSeconds * 1000 * (options.speed ?? 1))
      return { status: statuses.shift() ?? 'open' }
    },
  }
  const context = {
    client,
    signal: new AbortController().signal,
    draining: new AbortController().signal,
    onCancelled: () => () => undefined,
    progress: options.progress ? async () => undefined : undefined,
  } as unknown as ToolContext
  const args = getTask.input.parse({
    taskId: 'tsk_01k9zzzzzzzzzzzzzzzzzzzzzz',
    waitSeconds: options.waitSeconds,
  })
  const { result } = await getTask.call(context, args)
  return { waits, status: result.status }
}

describe('waitSeconds', () => {
  test('above 50 is several waits for a client that gets progress', async () => {
    const open = await callWith({ waitSeconds: 120, progress: true, statuses: [] })
    expect(open).toEqual({ waits: [50, 50, 20], status: 'open' })
    const answered = await callWith({ waitSeconds: 600, progress: true, statuses: ['open', 'handled'] })
    expect(answered).toEqual({ waits: [50, 50], status: 'handled' })
  })

  test('is at most 600, and at most 50 without progress', async () => {
    const long = await callWith({ waitSeconds: 100_000, progress: true, statuses: [] })
    expect(long.waits.reduce((sum, wait) => sum + wait)).toBe(600)
    expect((await callWith({ waitSeconds: 600, statuses: [] })).waits).toEqual([50])
  })

  test('ends early with a server that ends its waits early', async () => {
    const early = await callWith({ waitSeconds: 600, progress: true, speed: 0.1, statuses: [] })
    expect(early).toEqual({ waits: [50], status: 'open' })
  })
})
