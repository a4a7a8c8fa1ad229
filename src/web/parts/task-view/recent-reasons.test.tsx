import { expect, test } from 'vitest'
import { saveReason, suggestedReasons } from './recent-reasons.ts'

test('reasons are suggested only to the person who wrote them, not to others in the same browser', () => {
  const mara = { workspaceId: 'wsp_1', userId: 'mara' }
  saveReason(mara, 'Mr Doe is on the blocklist.')
  expect(suggestedReasons(mara)[0]).toBe('Mr Doe is on the blocklist')
  for (const other of [
    { ...mara, userId: 'noor' },
    { ...mara, workspaceId: 'wsp_2' },
  ])
    expect(suggestedReasons(other)).not.toContain('Mr Doe is on the blocklist')
})
