import { expect, test } from 'vitest'
import { endedAt } from './handled-row.tsx'

test('an expired task ended at its deadline, also after its content was deleted', () => {
  const expiresAt = '2026-11-12T16:20:00.000Z'
  expect(endedAt({ expiresAt, updatedAt: '2026-12-12T16:20:00.000Z' } as never)).toBe(expiresAt)
})
