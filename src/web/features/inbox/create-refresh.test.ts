import { expect, test, vi } from 'vitest'
import { page, row } from '../../../../test/support/inbox-samples.ts'
import type { InboxPage } from '../../../contract/inbox.ts'
import { createRefresh } from './create-refresh.ts'

/** A service that responds when it is told to. */
function setUp() {
  const requests: { resolve: (page: InboxPage) => void; reject: (error: Error) => void }[] = []
  const onPage = vi.fn()
  const load = () => new Promise<InboxPage>((resolve, reject) => requests.push({ resolve, reject }))
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  const { refresh, outdate } = createRefresh(load, onPage)
  return { refresh, outdate, onPage, requests, settle }
}
const [first, second] = [page([row('a')]), page([row('b')])]

test('a refresh that is asked for during another one reads the page again', async () => {
  const { refresh, onPage, requests, settle } = setUp()
  const both = [refresh(), refresh()]
  requests[0]!.resolve(first)
  await settle()
  expect([requests.length, onPage.mock.calls]).toEqual([2, []])
  requests[1]!.resolve(second)
  expect(await Promise.all(both)).toEqual([true, true])
  expect(onPage.mock.calls).toEqual([[second, false]])
})

test('a page is read again if something happened meanwhile, but not without end', async () => {
  const { refresh, outdate, onPage, requests, settle } = setUp()
  outdate()
  const done = refresh()
  for (let n = 0; n < 3; n += 1) {
    outdate()
    requests[n]!.resolve(first)
    await settle()
  }
  expect(await done).toBe(true)
  expect([requests.length, onPage.mock.calls]).toEqual([3, [[first, true]]])
})

test('who asks during the last of these reads gets another one', async () => {
  const { refresh, outdate, onPage, requests, settle } = setUp()
  const done = refresh()
  for (let n = 0; n < 2; n += 1) {
    outdate()
    requests[n]!.resolve(first)
    await settle()
  }
  void refresh()
  requests[2]!.resolve(first)
  await done
  await vi.waitFor(() => expect(requests).toHaveLength(4))
  requests[3]!.resolve(second)
  await settle()
  expect(onPage.mock.calls).toEqual([
    [first, true],
    [second, false],
  ])
})

test('after a failure, the next refresh reads the page', async () => {
  const { refresh, onPage, requests } = setUp()
  const failed = refresh()
  requests[0]!.reject(new Error('offline'))
  expect(await failed).toBe(false)
  const done = refresh()
  requests[1]!.resolve(second)
  expect([await done, onPage.mock.calls]).toEqual([true, [[second, false]]])
})
