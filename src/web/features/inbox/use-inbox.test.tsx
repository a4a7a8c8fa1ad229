import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { afterPage, event, page, row } from '../../../../test/support/inbox-samples.ts'
import type { InboxPage } from '../../../contract/inbox.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { useInbox } from './use-inbox.ts'

afterEach(() => vi.unstubAllGlobals())

/** The inbox of a service whose responses wait for `respond`, and its event streams. */
function openInbox() {
  const streams: EventSource[] = []
  class Source extends EventTarget {
    readonly url: string
    constructor(url: string) {
      super()
      this.url = url
      streams.push(this as never)
    }
    close() {}
  }
  vi.stubGlobal('EventSource', Source)
  const responses: ((response: InboxPage) => void)[] = []
  const api = {
    inbox: () => new Promise<InboxPage>((resolve) => responses.push(resolve)),
    inboxEventsUrl: (after: string) => `/stream?after=${after}`,
    groups: async () => ({ groups: [] }),
  }
  const session = { api, workspaceId: 'acme', me: { person: { userId: 'mara', email: 'mara@acme.example' } } }
  const wrapper = ({ children }: PropsWithChildren) => (
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>{children}</WorkspaceContext>
    </QueryClientProvider>
  )
  const nothing = () => undefined
  const openList = () => useInbox(noInboxFilters, undefined, nothing, async () => false)
  const { result } = renderHook(openList, { wrapper })
  return {
    result,
    streams,
    /** Responds to all requests that wait, in the order in which they were sent. */
    respond: (...pages: InboxPage[]) =>
      act(async () => {
        for (const response of pages) responses.shift()?.(response)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }),
  }
}

test('an event that a list does not include, because it was being loaded, is streamed again', async () => {
  const { result, streams, respond } = openInbox()
  await respond(page([row('a')]))
  act(() => {
    void result.current.reload()
    const data = JSON.stringify(event('service/task_created', 'b', { row: row('b') }))
    streams[0]!.dispatchEvent(new MessageEvent('inbox', { data, lastEventId: afterPage }))
  })
  expect(result.current.state.arrived).toHaveLength(1)
  await respond(page([row('a')]))
  expect(result.current.state.arrived).toHaveLength(0)
  expect(streams.map(({ url }) => url)).toEqual(Array(2).fill('/stream?after=1.10.10'))
})
