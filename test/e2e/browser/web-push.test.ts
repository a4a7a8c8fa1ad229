import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signOut } from '../../support/browser-actions.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { startPushService } from '../../support/fake-push-service.ts'
import { freePort } from '../../support/free-port.ts'
import {
  clickNotification,
  deliverPush,
  leave,
  shownNotifications,
  subscribeWith,
} from '../../support/push-in-page.ts'
import { asOwner } from '../../support/rows.ts'
import { taskPayload } from '../../support/service.ts'
import { waitOptions } from '../../support/wait-options.ts'

describe.each(['', '/some/path'])('below the path "%s"', (path) => {
  const environment: Record<string, string> = { CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' }
  let pushService: Awaited<ReturnType<typeof startPushService>>
  beforeAll(async () => {
    pushService = await startPushService()
    const port = await freePort()
    Object.assign(environment, {
      PUSH_SERVICES: pushService.origin,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}${path}`,
    })
  })
  const { acme, service, blankTab } = setUpBrowserTests({
    environment,
    freshWorkspace: true,
    fullBrowser: true,
  })
  afterAll(() => pushService.stop())

  const settings = () => `/w/${acme.workspaceId}/settings/notifications`

  /** A tab whose browser has been turned on. */
  async function turnedOn() {
    const visit = await blankTab()
    const browser = pushService.subscribe()
    await visit.page.context().grantPermissions(['notifications'])
    await subscribeWith(visit.page, browser.subscription)
    await visit.go(settings())
    await visit.page.getByRole('button', { name: 'Turn on in this browser' }).click()
    await visit.page.getByRole('button', { name: 'Turn off' }).waitFor()
    return { ...visit, browser }
  }

  test('a browser that is turned on shows that a task is waiting, and a click opens it in the open window', async () => {
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

    const payload = taskPayload({ priority: 'urgent' }, { name: 'Refund €40?' })
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    await expect.poll(() => browser.messages, waitOptions).toHaveLength(1)
    await go(`/w/${acme.workspaceId}/inbox`)
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
    await page.waitForURL(`${service.url}/w/${acme.workspaceId}/inbox/${taskId}`)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    expect(await shownNotifications(page)).toEqual([])
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
  })

  test('without an open window, a click opens the task in a new one; a path outside the app is not opened', async () => {
    const { page } = await turnedOn()
    const taskPath = '/w/wsp_1/inbox/tsk_1'
    const hostilePaths = ['//evil.example/', '/../../outside', 'https://evil.example/', '@evil.example/']
    for (const path of [taskPath, ...hostilePaths]) {
      await deliverPush(page, { title: 'A task is waiting', body: '', path, tag: path })
    }
    await expect.poll(() => shownNotifications(page), waitOptions).toHaveLength(5)
    await leave(page)
    expect(await clickNotification(page, taskPath)).toBe(service.url + taskPath)
    for (const path of hostilePaths) {
      expect((await clickNotification(page, path))!.startsWith(`${service.url}/`), path).toBe(true)
    }
  })

  // The others do not depend on the path.
  if (path === '') {
    test('a message that cannot be read still says that a task is waiting', async () => {
      const { page } = await turnedOn()
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
    })

    test('the service worker intercepts no request and stores nothing', async () => {
      const { page, go } = await turnedOn()
      const responses: boolean[] = []
      page.on('response', (response) => responses.push(response.fromServiceWorker()))
      await go(`/w/${acme.workspaceId}/inbox`)
      await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
      expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
      const [navigation] = await page.evaluate(() =>
        performance.getEntriesByType('navigation').map((entry) => entry.toJSON()),
      )
      expect(navigation.workerStart).toBe(0)
      expect(responses.length).toBeGreaterThan(3)
      expect(responses).not.toContain(true)
      expect(await page.evaluate(() => caches.keys())).toEqual([])
    })

    const browsers = async () => (await acme.owner.get('/notifications')).body.push.browsers

    test('it is turned on, tested and turned off; another browser is listed and removed', async () => {
      const other = pushService.subscribe()
      await acme.owner.post('/notifications/push/browsers', other.subscription)
      const here = pushService.subscribe()
      const { page, go } = await blankTab()
      await page.context().grantPermissions(['notifications'])
      await page.addInitScript(() => {
        localStorage['handrail.browserNotifications'] ??= 'on'
      })
      await subscribeWith(page, here.subscription)
      await go(settings())
      await page.getByRole('button', { name: 'Turn on in this browser' }).click()
      await page.getByRole('button', { name: 'Turn off' }).waitFor()
      expect(await browsers()).toHaveLength(2)
      // Otherwise an open tab would show everything twice.
      expect(await page.evaluate(() => localStorage['handrail.browserNotifications'])).toBe('off')

      await page.getByRole('button', { name: 'Send test push' }).click()
      await page.locator('.strip').getByText('The test is on its way to your 2 browsers.').waitFor()
      for (const { messages } of [here, other]) await expect.poll(() => messages, waitOptions).toHaveLength(1)

      await page.reload()
      await page
        .getByRole('list', { name: 'Your other browsers' })
        .getByRole('button', { name: /^Remove/ })
        .click()
      await page.getByRole('list', { name: 'Your other browsers' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('button', { name: 'Turn on in this browser' }).waitFor()
      expect(await browsers()).toEqual([])
    })

    test('a subscription for another key of the service is replaced', async () => {
      const { page, go } = await blankTab()
      await page.context().grantPermissions(['notifications'])
      await subscribeWith(page, pushService.subscribe().subscription)
      await page.addInitScript(() => {
        localStorage['test.applicationServerKey'] ??= 'BOld'
      })
      await go(settings())
      await page.getByRole('button', { name: 'Turn on in this browser' }).click()
      await page.getByRole('button', { name: 'Turn off' }).waitFor()
      expect(await browsers()).toHaveLength(1)
    })

    test('whoever signs out gets no more messages in this browser', async () => {
      const { page, go } = await blankTab()
      await page.context().grantPermissions(['notifications'])
      await subscribeWith(page, pushService.subscribe().subscription)
      await go(settings())
      await page.getByRole('button', { name: 'Turn on in this browser' }).click()
      await page.getByRole('button', { name: 'Turn off' }).waitFor()
      await signOut(page)
      const stored = await asOwner(service.databaseUrl, (client) =>
        client.query('SELECT FROM push_subscriptions WHERE workspace_id = $1', [acme.workspaceId]),
      )
      expect(stored.rowCount).toBe(0)
      expect(await page.evaluate(() => localStorage['test.applicationServerKey'])).toBeUndefined()
    })

    test('a browser that blocks notifications, an iPhone in Safari and a browser without push say what to do', async () => {
      const blocked = await blankTab()
      await blocked.page.addInitScript(() => {
        Object.defineProperty(Notification, 'permission', { value: 'denied' })
      })
      await blocked.go(settings())
      const section = blocked.page.getByRole('region', { name: 'Push messages' })
      await section.getByText('Your browser blocks notifications from this site.').waitFor()
      expect(await section.getByRole('button').count()).toBe(0)
      const without = await blankTab()
      await without.page.addInitScript(() => {
        Reflect.deleteProperty(window, 'PushManager')
      })
      await without.go(settings())
      await without.page.getByText("This browser doesn't support push messages.").waitFor()
      const iPhone = await blankTab({ width: 390 })
      await iPhone.page.addInitScript(() => {
        Reflect.deleteProperty(window, 'PushManager')
        const value = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605'
        Object.defineProperty(navigator, 'userAgent', { value })
      })
      await iPhone.go(settings())
      await iPhone.page.getByText('Add Handrail to your Home Screen first').waitFor()
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
  }
})
