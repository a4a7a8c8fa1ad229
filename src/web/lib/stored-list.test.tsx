import { expect, test, vi } from 'vitest'

/** The modules as another tab loads them: what they have read is their own. */
async function openTab() {
  vi.resetModules()
  return { ...(await import('./seen.ts')), ...(await import('./read-replies.ts')) }
}

test('a tab keeps what other tabs have stored since it was opened', async () => {
  const [first, second] = [await openTab(), await openTab()]
  for (const tab of [first, second]) {
    expect(tab.isSeen('tsk_1')).toBe(false)
    expect(tab.lastReadReply('tsk_1')).toBeUndefined()
  }
  first.markSeen('tsk_1')
  first.markReplyRead('tsk_1', 'upd_1')
  second.markSeen('tsk_2')
  second.markReplyRead('tsk_2', 'upd_2')
  second.markReplyRead('tsk_2', 'upd_3')
  const third = await openTab()
  expect(['tsk_1', 'tsk_2'].map(third.isSeen)).toEqual([true, true])
  expect(['tsk_1', 'tsk_2'].map(third.lastReadReply)).toEqual(['upd_1', 'upd_3'])
})
