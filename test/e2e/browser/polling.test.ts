import { describe, expect, test } from 'vitest'
import { createTask, taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

describe('without a live stream', () => {
  const { acme, blankTab } = setUpBrowserTests()

  test('the inbox polls, says so, and returns to the stream as soon as it is available', async () => {
    const send = async (name: string, priority = 'normal') =>
      (await acme.agent.post('/tasks', taskPayload({ priority }, { name }))).body.taskId as string
    const answered = await send('Answered elsewhere')
    await send('Stays')
    const { page, go } = await blankTab()
    // The page reconnects after the first failure, the browser after the others. The third makes the
    // page poll, and the next poll would follow only 15 seconds later.
    let fail = () => {}
    const changed = new Promise<void>((resolve) => {
      fail = resolve
    })
    const failures = [{ status: 502, body: 'Bad gateway' }]
    const cutOff = { contentType: 'text/event-stream', body: 'retry: 300\n\n' }
    await page.route('**/inbox/events*', async (route) => {
      await changed
      await route.fulfill(failures.shift() ?? cutOff)
    })
    await go(`/w/${acme.workspaceId}/inbox`)
    const names = () => taskNames(page)
    await expect.poll(names).toEqual(['Answered elsewhere', 'Stays'])
    await page.getByRole('option', { name: /Stays/ }).hover()
    await send('Pressing', 'urgent')
    await acme.owner.post(`/tasks/${answered}/mark-done`)
    fail()

    const notice = page.getByText('Live updates are unavailable. Checking every 15 seconds.')
    await notice.waitFor()
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await page.getByText('No longer in this list').waitFor()
    expect(await names()).toEqual(['Answered elsewhere', 'Stays'])
    await page.mouse.move(1_000, 400)
    await expect.poll(names).toEqual(['Stays'])

    await page.unroute('**/inbox/events*')
    await notice.waitFor({ state: 'detached' })
    await send('Live again')
    await page.getByRole('button', { name: '2 new' }).waitFor()
  })

  test('a start-over event makes the page reload the inbox; a stream that is refused, because the session has ended, leads to sign-in', async () => {
    await createTask(acme, 'Listed')
    const { page, go } = await blankTab()
    // The first two streams end with these events, the third is that of the service.
    const end: ((lastEvent: string) => void)[] = []
    const endings = [0, 1].map((n) => new Promise<string>((resolve) => (end[n] = resolve)))
    await page.route('**/inbox/events*', async (route) => {
      const ending = endings.shift()
      if (!ending) return await route.continue()
      const body = `event: hello\ndata: {}\n\n${await ending}`
      await route.fulfill({ contentType: 'text/event-stream', body })
    })
    await go(`/w/${acme.workspaceId}/inbox`)
    await page.getByRole('option', { name: /Listed/ }).waitFor()
    await createTask(acme, 'Created unnoticed')
    const { eventCursor } = (await acme.owner.get('/inbox')).body
    end[0]!(`event: start-over\nid: ${eventCursor}\ndata: {}\n\n`)
    await page.getByRole('option', { name: /Created unnoticed/ }).waitFor()

    await page.context().clearCookies()
    end[1]!('retry: 100\n\n')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).searchParams.get('to')).toBe(`/w/${acme.workspaceId}/inbox`)
  })
})
