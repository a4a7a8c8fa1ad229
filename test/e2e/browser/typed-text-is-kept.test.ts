import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser, type TestBrowser, type Visit } from '../../support/browser.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../../support/service.ts'
import { noTroubles } from '../../support/troubles.ts'

describe('what a person has typed is kept until it has arrived', () => {
  let service: TestService
  let acme: TestWorkspace
  let browser: TestBrowser
  let visit: Visit
  let page: Page
  let taskId: string
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    browser = await startBrowser()
  })
  afterEach(async () => {
    await browser.endVisits()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  async function begin(visitor: { undoSeconds?: 0 | 10 } = {}) {
    taskId = (await acme.agent.post('/tasks', taskPayload({}, { name: 'Contested' }))).body.taskId
    visit = await browser.visit(service.url, { cookie: acme.owner.cookie, ...visitor })
    page = visit.page
    await visit.go(`/w/${acme.workspaceId}/inbox/${taskId}`)
    await page.getByRole('button', { name: 'Decline' }).click()
    await why().waitFor()
  }

  const why = () => page.getByLabel('Why?')
  const draftOf = async () => (await acme.owner.get(`/tasks/${taskId}/drafts`)).body.drafts[0]?.data.reason

  test('where two people collide, the second keeps the words and is told who was first', async () => {
    const mara = await acme.person('member', 'Mara')
    await begin({ undoSeconds: 10 })
    await why().fill('My view')
    const others = await browser.visit(service.url, { cookie: mara.cookie })
    await others.go(`/w/${acme.workspaceId}/inbox/${taskId}`)
    await others.page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sending “Decline”').waitFor()

    await others.page.getByRole('button', { name: 'Approve' }).click()
    await others.page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await acme.agent.get(`/tasks/${taskId}`)).body.handled?.actionId)
      .toBe('approve')

    await page.getByRole('button', { name: 'Send now' }).click()
    const told = page.getByRole('alert').filter({ hasText: '“Decline” was not sent.' })
    await told.getByRole('button', { name: 'Open' }).click()
    const strip = page.getByRole('status').filter({ hasText: `${mara.email} answered this` })
    expect(await strip.innerText()).toContain('Your draft is kept.')
    await strip.getByRole('button', { name: 'Copy draft' }).waitFor()
    expect(await draftOf()).toBe('My view')
    expect(await visit.troubles()).toEqual(noTroubles)
    expect(await others.troubles()).toEqual(noTroubles)
  })

  test('a session that ended meanwhile leads to the door and back to the words', async () => {
    await begin()
    await why().fill('Half a')
    await expect.poll(draftOf).toBe('Half a')
    await page.context().clearCookies()
    await why().fill('Half a thought')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail').fill(acme.ownerEmail)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await why().waitFor()
    expect(await why().inputValue()).toBe('Half a thought')
    await expect.poll(draftOf).toBe('Half a thought')
  })

  test('in the tab of the next person they are not', async () => {
    const mara = await acme.person('member', 'Mara')
    await begin()
    await page.context().clearCookies()
    await why().fill('Between you and me')
    await page.getByLabel('E-mail').fill(mara.email)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Decline' }).click()
    await why().waitFor()
    expect(await why().inputValue()).toBe('')
  })

  test('a service that is away gets them when it is back, and a reload loses nothing', async () => {
    await begin()
    await page.route('**/drafts/*', (route) => route.abort())
    await why().fill('Written offline')
    await page.getByText('Draft not saved yet, kept in this tab').waitFor()
    expect(await draftOf()).toBeUndefined()
    await page.unroute('**/drafts/*')
    await expect.poll(draftOf).toBe('Written offline')
    await page.getByText('Draft saved').waitFor()

    await page.route('**/drafts/*', (route) => route.abort())
    await why().fill('Written offline, and on')
    await page.reload()
    await why().waitFor()
    expect(await why().inputValue()).toBe('Written offline, and on')
  })
})
