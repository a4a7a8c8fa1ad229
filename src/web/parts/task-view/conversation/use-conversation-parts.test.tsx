import { renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { useConversationParts } from './use-conversation-parts.ts'

const first = { revision: 1 } as MemberTaskRecord
const revised = { revision: 2 } as MemberTaskRecord

test('a conversation that begins later is shown with parts that another task has loaded', async () => {
  const mine = renderHook(useConversationParts, { initialProps: first })
  const other = renderHook(useConversationParts, { initialProps: revised })
  await waitFor(() => expect(other.result.current.isReady).toBe(true))
  mine.rerender(revised)
  expect(mine.result.current.isReady).toBe(true)
})
