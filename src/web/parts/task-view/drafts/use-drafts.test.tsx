import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HandrailProblem } from '../../../../client/problem.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import { forgetInMemoryDrafts } from '../../../lib/in-memory-drafts.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { forgetUnsaved, keepUnsaved, unsavedDrafts } from '../../answers/unsaved-drafts.ts'
import { useDrafts } from './use-drafts.ts'

type Request = { text: unknown; succeed: () => void; fail: () => void; refuse: () => void }
let requests: Request[] = []
let saved: Draft[] = []
let taskNumber = 0

beforeEach(() => {
  vi.useFakeTimers()
  requests = []
  saved = []
  taskNumber += 1
})
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

const api = {
  drafts: async () => ({ drafts: saved }),
  saveDraft: (_: string, __: string, { data }: { data: Record<string, unknown> }) =>
    new Promise((resolve, reject) =>
      requests.push({
        text: data.text,
        succeed: () => resolve({}),
        fail: () => reject(new TypeError('Failed to fetch')),
        refuse: () => reject(new HandrailProblem({ status: 413, detail: 'Too large.' } as never)),
      }),
    ),
}

function openTask() {
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara' } } }
  const queryClient = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const onDraft = vi.fn()
  const { result, unmount } = renderHook(() => useDrafts(`task ${taskNumber}`, undefined, onDraft), {
    wrapper,
  })
  return {
    onDraft,
    isLoading: () => result.current.isLoading,
    actionIds: () => result.current.list.map(({ actionId }) => actionId),
    type: (text: string, actionId = 'reply') => act(() => result.current.change(actionId, { text }, 1)),
    state: (actionId = 'reply') => result.current.stateOf(actionId),
    leave: unmount,
  }
}

const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
const texts = () => requests.map(({ text }) => text)
const kept = () => unsavedDrafts('mara', `task ${taskNumber}`).map(({ data }) => data.text)

test('an older draft that fails never replaces a newer one', async () => {
  const { type } = openTask()
  type('older')
  await wait(1)
  type('newer')
  await wait(1)
  // The newer text is saved after the request for the older one, whatever becomes of that.
  expect(texts()).toEqual(['older'])
  requests[0]!.fail()
  await wait(3)
  expect(texts()).toEqual(['older', 'newer'])
  requests[1]!.succeed()
  await wait(60)
  expect(texts()).toEqual(['older', 'newer'])
  expect(kept()).toEqual([])
})

test('a draft that could not be saved is retried after its task was left, and never over a newer one', async () => {
  const first = openTask()
  first.type('older')
  await wait(1)
  requests[0]!.fail()
  await wait(0)
  first.leave()
  expect(kept()).toEqual(['older'])
  await wait(3)
  expect(texts().slice(1)).toEqual(['older'])

  const second = openTask()
  second.type('newer')
  await wait(1)
  requests[1]!.fail()
  await wait(10)
  expect(texts().slice(2)).toEqual(['newer'])
  requests[2]!.succeed()
  await wait(60)
  expect(texts().slice(3)).toEqual([])
  expect(kept()).toEqual([])
})

test('a page that is hidden saves the newest text at once, and again after the request under way', async () => {
  const { type } = openTask()
  type('older')
  await wait(1)
  type('newer')
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValueOnce('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(texts()).toEqual(['older', 'newer'])
  requests[0]!.succeed()
  await wait(1)
  expect(texts()).toEqual(['older', 'newer', 'newer'])
})

test('a draft that is being saved when the person signs out is not saved again', async () => {
  const { type } = openTask()
  type('text')
  await wait(1)
  forgetInMemoryDrafts('mara')
  forgetUnsaved('mara')
  requests[0]!.fail()
  await wait(60)
  expect(texts()).toEqual(['text'])
})

test('a draft that the service refuses is not announced as being retried', async () => {
  const { type, state } = openTask()
  type('text')
  await wait(1)
  requests[0]!.refuse()
  await wait(60)
  expect(texts()).toEqual(['text'])
  expect(state()).toBe('refused')
  type('shorter')
  await wait(1)
  requests[1]!.fail()
  await wait(0)
  expect(state()).toBe('failed')
})

test('the state of a draft is that of its own action', async () => {
  const { type, state } = openTask()
  type('too long')
  type('short', 'refund')
  await wait(1)
  requests[1]!.succeed()
  await wait(0)
  expect([state('reply'), state('refund')]).toEqual(['saving', 'saved'])
  requests[0]!.refuse()
  await wait(0)
  expect([state('reply'), state('refund')]).toEqual(['refused', 'saved'])
  type('shorter', 'refund')
  await wait(1)
  requests[2]!.succeed()
  await wait(0)
  expect([state('reply'), state('refund')]).toEqual(['refused', 'saved'])
})

test('a draft that is retried does not delay those of other actions', async () => {
  const { type } = openTask()
  type('first')
  await wait(1)
  type('second', 'refund')
  requests[0]!.fail()
  await wait(1)
  expect(texts()).toEqual(['first', 'second'])
})

const draftOf = (actionId: string, updatedAt: string): Draft => ({
  actionId,
  data: {},
  revision: 1,
  updatedAt,
})

test('the row gets its draft mark once, also for a draft that was kept from before a reload', async () => {
  const written = openTask()
  await wait(0)
  expect(written.onDraft).not.toHaveBeenCalled()
  written.type('text')
  written.type('longer text')
  expect(written.onDraft).toHaveBeenCalledOnce()

  taskNumber += 1
  keepUnsaved('mara', `task ${taskNumber}`, draftOf('reply', '2026-11-18T10:00:00.000Z'))
  const kept = openTask()
  requests.at(-1)!.succeed()
  await wait(0)
  expect(kept.onDraft).toHaveBeenCalledOnce()
  kept.type('text')
  expect(kept.onDraft).toHaveBeenCalledOnce()
})

test('a draft that is written here is the newest, however slow the clock of the browser is', async () => {
  saved = [draftOf('refund', '2200-01-01T10:05:00.000Z'), draftOf('reply', '2200-01-01T10:04:00.000Z')]
  const { type, actionIds } = openTask()
  await wait(0)
  expect(actionIds()).toEqual(['reply', 'refund'])
  type('text')
  await wait(0)
  expect(actionIds()).toEqual(['refund', 'reply'])
})

test('a reason that is written while the drafts load does not hide them', async () => {
  saved = [draftOf('refund', '2026-11-18T10:00:00.000Z')]
  const { type, actionIds, isLoading } = openTask()
  type('wrong', 'reject_request')
  expect(isLoading()).toBe(true)
  await wait(0)
  expect(isLoading()).toBe(false)
  expect(actionIds()).toEqual(['refund', 'reject_request'])
})

test('if the drafts cannot be loaded, those of this tab stay when another one is written', async () => {
  vi.spyOn(api, 'drafts').mockRejectedValue(new TypeError('Failed to fetch'))
  keepUnsaved('mara', `task ${taskNumber}`, draftOf('refund', '2026-11-18T10:00:00.000Z'))
  const { type, actionIds } = openTask()
  await wait(30)
  type('text')
  expect(actionIds()).toEqual(['refund', 'reply'])
})
