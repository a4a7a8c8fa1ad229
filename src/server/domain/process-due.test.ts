import { expect, test } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import type { Transaction } from '../storage/engine/database.ts'
import { processDue } from './process-due.ts'
import type { Service } from './service.ts'

type Row = { id: number; workspaceId: string }

const service = {
  log: createLogger('silent'),
  database: {
    inWorkspace: async (_: string, work: (tx: Transaction) => Promise<unknown>) =>
      await work({} as Transaction),
  },
} as unknown as Service

test('rows that fail do not keep those behind them from being processed', async () => {
  let due = Array.from({ length: 150 }, (_, id): Row => ({ id, workspaceId: 'wsp_1' }))
  let attempts = 0
  const run = () =>
    processDue(service, {
      find: async (limit) => due.slice(0, limit),
      idOf: ({ id }) => String(id),
      failure: 'failed',
      async work(_, { id }) {
        attempts++
        if (id < 100) throw new Error('damaged')
        due = due.filter((row) => row.id !== id)
      },
    })
  // Nothing succeeded, so the next run waits for its time.
  expect(await run()).toBe(false)
  expect(await run()).toBe(false)
  expect(attempts).toBe(150)
  expect(due).toHaveLength(100)
})
