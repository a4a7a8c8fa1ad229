import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUpToken } from '../../../src/server/domain/workspaces/set-up.ts'
import { startBrowser, type TestBrowser, type Visit } from '../../support/browser.ts'
import { fillSetUpForm, sendAnswer, setUpOwner, signIn, signOut } from '../../support/browser-actions.ts'
import { createSubscription } from '../../support/fake-push-service.ts'
import { freePort } from '../../support/free-port.ts'
import { callAs } from '../../support/http.ts'
import { noProblems } from '../../support/page-problems.ts'
import { clickUnshown, leave, pathsOutside, subscribeWith } from '../../support/push-in-page.ts'
import { startService, type TestService, taskPayload } from '../../support/service.ts'

describe('with a path in PUBLIC_URL', () => {
  let service: TestService
  let browser: TestBrowser
  let visit: Visit
  const requests: string[] = []
  beforeAll(async () => {
    const port = await freePort()
    service = await startService({
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}/some/path`,
      // Nothing listens there, and nothing is sent.
      PUSH_SERVICES: 'http://127.0.0.1:1',
      CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
    })
    browser = await startBrowser()
    visit = await browser.visit(service.url)
    visit.page.context().on('request', (request) => requests.push(request.url()))
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  test('every page works: set-up, live inbox, task, form, sign-out, sign-in and back; a push message opens its task', async () => {
    const { page } = visit
    await subscribeWith(page, createSubscription('http://127.0.0.1:1/push').subscription)
    // The headless shell denies them.
    await page.addInitScript(() => {
      Notification.requestPermission = async () => 'granted'
      Object.defineProperty(Notification, 'permission', { value: 'granted' })
    })
    await visit.go(`/setup#${setUpToken(service.app.service.secrets.authSecret)}`)
    await fillSetUpForm(page)
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    expect(page.url()).toMatch(`${service.url}/w/wsp_`)

    const [session] = await page.context().cookies()
    expect(session?.path).toBe('/some/path')
    const owner = callAs(service.url, {
      cookie: `${session!.name}=${session!.value}`,
      origin: new URL(service.url).origin,
    })
    const { taskId } = (await owner.post('/tasks', taskPayload())).body
    await page.getByRole('option').click()
    await page.getByRole('button', { name: 'Decline' }).click()
    // The form is checked in a worker, which is a separate file.
    await page.getByLabel('Why?').waitFor()
    await sendAnswer(page)
    await page.getByText('This field is required.').waitFor()
    const taskUrl = page.url()
    expect(taskUrl).toBe((await owner.get(`/tasks/${taskId}`)).body.url)

    await signOut(page)
    await page.goto(taskUrl)
    await signIn(page, setUpOwner.email, setUpOwner.password)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    expect(page.url()).toBe(taskUrl)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('list', { name: 'Members' }).getByText('nadia@').waitFor()
    const debug = await page.context().newCDPSession(page)
    const manifest = await debug.send('Page.getAppManifest')
    expect(manifest).toMatchObject({ url: `${service.url}/manifest.webmanifest`, errors: [] })
    await page.getByRole('link', { name: 'Handrail' }).click()
    await page.getByRole('heading', { name: 'Most urgent' }).waitFor()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('button', { name: 'Turn on in this browser' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    const worker = page.context().serviceWorkers()[0]!
    expect([scope, worker.url()]).toEqual([`${service.url}/`, `${service.url}/service-worker.js`])
    const taskPath = taskUrl.slice(service.url.length)
    expect(await clickUnshown(worker, taskPath)).toBeUndefined()
    await page.waitForURL(taskUrl)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()

    await visit.go('/docs')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await leave(page, worker)
    expect(await clickUnshown(worker, taskPath)).toBe(taskUrl)
    for (const path of pathsOutside)
      expect((await clickUnshown(worker, path))!.startsWith(`${service.url}/`), path).toBe(true)
  })

  test('no request was sent outside that path', async () => {
    expect(requests.length).toBeGreaterThan(20)
    expect(requests.filter((url) => !url.startsWith(`${service.url}/`))).toEqual([])
    expect(await visit.problems()).toEqual(noProblems)
  })
})
