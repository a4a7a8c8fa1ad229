import { expect, test } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { forEachWorkspace } from './for-each-workspace.ts'
import type { Service } from './service.ts'

const service = { log: createLogger('silent') } as Service
const rows = ['a', 'b', 'c'].map((workspaceId) => ({ workspaceId }))

function run(fails: (workspaceId: string) => boolean, stop = new AbortController()) {
  const worked: string[] = []
  const done = forEachWorkspace(service, rows, 'failed to work', stop.signal, async ({ workspaceId }) => {
    worked.push(workspaceId)
    if (fails(workspaceId)) throw new Error('damaged')
  })
  return { worked, done, stop }
}

test('a workspace in which the work fails does not keep the others from theirs', async () => {
  const { worked, done } = run((workspaceId) => workspaceId === 'a')
  await done
  expect(worked).toEqual(['a', 'b', 'c'])
})

test('work that fails in every workspace fails as a whole, so that /health shows it', async () => {
  await expect(run(() => true).done).rejects.toThrow('failed to work (3 of 3 rows)')
})

test('a failure because the process stops does not count', async () => {
  const stop = new AbortController()
  const { worked, done } = run(() => {
    stop.abort()
    return true
  }, stop)
  await done
  expect(worked).toEqual(['a'])
})
