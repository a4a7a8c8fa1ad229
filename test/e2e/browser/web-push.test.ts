import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { signOut } from '../../support/browser-actions.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { startPushService } from '../../support/fake-push-service.ts'
import {
  clickNotification,
  deliverPush,
  leave,
  pathsOutside,
  shownNotifications,
  subscribeWith,
} from '../../support/push-in-page.ts'
import { asOwner } from '../../support/rows.ts'
import { taskPayload } from '../../support/service.ts'
import { waitOptions } from '../../support/wait-options.ts'

const pushService = await startPushService()

describe('push messages', () => {
  const { acme, service, blankTab } = setUpBrowserTests({
    environment: { CALLBACK_ALLOW_CIDRS: '127.0.0.1/32', PUSH_SERVICES: pushService.origin },
    freshWorkspace: true,
    fullBrowser: true,
  })
  afterAll(() => pushService.stop())

  const inbox = () => `/w/${acme.workspaceId}/inbox`

  /** A tab whose browser has been turned on. `prepare` runs before its first page. */
  async function turnedOn(prepare: () => void = () => {}) {
    const visit = await blankTab()
    const { page, go } = visit
    const browser = pushService.subscribe()
    await page.context().grantPermissions(['notifications'])
    await subscribeWith(page, browser.subscription)
    await page.addInitScript(prepare)
    await go(`/w/${acme.workspaceId}/settings/notifications`)
    await page.getByRole('button', { name: 'Turn on in this browser' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    return { ...visit, browser }
  }

  /** Expects that messages that cannot be read say that a task is waiting. */
  async function expectUnreadableShown(page: Page) {
    for (const unreadable of ['not JSON', '', '[]', '{"title":{"toString":1},"tag":"one"}']) {
      await deliverPush(page, unreadable)
      await expect
        .poll(() => shownNotifications(page), waitOptions)
        .toContainEqual(expect.objectContaining({ title: 'A task is waiting', path: '/' }))
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        for (const notification of await registration.getNotifications()) notification.close()
      })
    }
  }

  /** Expects that a click opens the task in a new window if none is open, but no path outside the app. */
  async function expectNewWindow(page: Page) {
    const taskPath = '/w/wsp_1/inbox/tsk_1'
    for (const path of [taskPath, ...pathsOutside])
      await deliverPush(page, { title: 'A task is waiting', body: '', path, tag: path })
    await expect.poll(() => shownNotifications(page), waitOptions).toHaveLength(5)
    await leave(page)
    expect(await clickNotification(page, taskPath)).toBe(service.url + taskPath)
    for (const path of pathsOutside)
      expect((await clickNotification(page, path))!.startsWith(`${service.url}/`), path).toBe(true)
  }

  test('a browser that is turned on shows that a task is waiting, also if the message cannot be read, and a click opens it in the open window or a new one; the service worker intercepts no request and stores nothing', async () => {
    const { page, browser, go } = await turnedOn()
    const registered = await page.evaluate(async () => {
      const { active, scope } = await navigator.serviceWorker.ready
      return [active!.scriptURL, scope]
    })
    const scriptUrl = `${service.url}/service-worker.js`
    expect(registered).toEqual([scriptUrl, `${service.url}/`])
    expect((await page.request.get(scriptUrl)).headers()).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
    })

    const responses: boolean[] = []
    page.on('response', (response) => responses.push(response.fromServiceWorker()))
    await go(inbox())
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    const [navigation] = await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((entry) => entry.toJSON()),
    )
    expect(navigation.workerStart).toBe(0)
    expect(responses.length).toBeGreaterThan(3)
    expect(responses).not.toContain(true)
    expect(await page.evaluate(() => caches.keys())).toEqual([])

    const payload = taskPayload({ priority: 'urgent' }, { name: 'Refund €40?' })
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    await expect.poll(() => browser.messages, waitOptions).toHaveLength(1)
    await deliverPush(page, browser.messages[0]!.payload)
    const shown = await expect
      .poll(() => shownNotifications(page), waitOptions)
      .toHaveLength(1)
      .then(() => shownNotifications(page))
    expect(shown).toMatchObject([{ title: 'A task is waiting' }])
    expect(JSON.stringify(shown)).not.toContain('Refund')

    // A second message about the same task replaces the first.
    await deliverPush(page, { ...browser.messages[0]!.payload, title: 'Again' })
    await expect.poll(() => shownNotifications(page), waitOptions).toMatchObject([{ title: 'Again' }])

    expect(await clickNotification(page)).toBeUndefined()
    await page.waitForURL(`${service.url}${inbox()}/${taskId}`)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    expect(await shownNotifications(page)).toEqual([])
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')

    await expectUnreadableShown(page)
    await expectNewWindow(page)
  })

  test('turning on replaces a subscription for another key; messages are tested and turned off, another browser is removed, and whoever signs out gets no more', async () => {
    const browsers = async () => (await acme.owner.get('/notifications')).body.push.browsers
    const other = pushService.subscribe()
    await acme.owner.post('/notifications/push/browsers', other.subscription)
    const { page, browser: here } = await turnedOn(() => {
      localStorage['handrail.browserNotifications'] ??= 'on'
      localStorage['test.applicationServerKey'] ??= 'BOld'
    })
    expect(await browsers()).toHaveLength(2)
    // Otherwise an open tab would show everything twice.
    expect(await page.evaluate(() => localStorage['handrail.browserNotifications'])).toBe('off')

    await page.getByRole('button', { name: 'Send test push' }).click()
    await page.locator('.strip').getByText('The test is on its way to your 2 browsers.').waitFor()
    for (const { messages } of [here, other]) await expect.poll(() => messages, waitOptions).toHaveLength(1)

    await page.reload()
    const others = page.getByRole('list', { name: 'Your other browsers' })
    await others.getByRole('button', { name: /^Remove/ }).click()
    await others.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Turn on in this browser' }).waitFor()
    expect(await browsers()).toEqual([])

    await page.getByRole('button', { name: 'Turn on in this browser' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    await signOut(page)
    const stored = await asOwner(service.databaseUrl, (client) =>
      client.query('SELECT FROM push_subscriptions WHERE workspace_id = $1', [acme.workspaceId]),
    )
    expect(stored.rowCount).toBe(0)
    expect(await page.evaluate(() => localStorage['test.applicationServerKey'])).toBeUndefined()
  })

  test('Handrail can be installed like an application, in a window frame with the colour of the page', async () => {
    const { page, go } = await blankTab({ ...signedOut, theme: 'dark' })
    await go('/sign-in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const debug = await page.context().newCDPSession(page)
    const manifest = await debug.send('Page.getAppManifest')
    expect(manifest.url).toBe(`${service.url}/manifest.webmanifest`)
    expect(manifest.errors).toEqual([])
    const { installabilityErrors } = await debug.send('Page.getInstallabilityErrors')
    // Tests use an incognito context, which is the only obstacle.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito'])
    for (const { src, type } of JSON.parse(manifest.data!).icons) {
      const icon = await page.request.get(new URL(src, manifest.url).href)
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type])
    }
    await page.locator('html.dark').waitFor()
    const colours = await page.evaluate(() => [
      document.querySelector<HTMLMetaElement>('meta[name=theme-color]')?.content,
      getComputedStyle(document.body).backgroundColor,
    ])
    expect(colours[0]).toBe(colours[1])
  })
})
