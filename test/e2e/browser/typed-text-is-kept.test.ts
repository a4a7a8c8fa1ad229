import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Visitor } from '../../support/browser.ts'
import { createTask, signIn, signOut } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { signedIn } from '../../support/service.ts'

describe('typed text is kept until it has been saved', () => {
  const { service, acme, visit } = setUpBrowserTests()
  let page: Page
  let taskId: string

  async function openForm(visitor?: Visitor) {
    taskId = await createTask(acme, 'Contested')
    page = (await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, visitor)).page
    await page.getByRole('button', { name: 'Decline' }).click()
    await why().waitFor()
  }

  const why = () => page.getByLabel('Why?')
  const draftOf = async () => (await acme.owner.get(`/tasks/${taskId}/drafts`)).body.drafts[0]?.data.reason

  test('it survives an outage, a reload and the end of the session, and is shown only to the person who typed it', async () => {
    const mara = await acme.person('member', 'Mara')
    await openForm()
    await why().fill('Half a')
    await page.getByText('Draft saved').waitFor()
    await page.route('**/drafts/*', (route) => route.abort())
    await why().fill('Half a thought')
    await page.getByText('Draft not saved yet. Keep this tab open.').waitFor()
    await page.reload()
    await why().waitFor()
    expect(await why().inputValue()).toBe('Half a thought')

    // The session ends before the text is saved.
    await why().fill('A whole thought')
    await page.context().clearCookies()
    await page.unroute('**/drafts/*')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, mara.email)
    await page.getByRole('button', { name: 'Decline' }).click()
    await why().waitFor()
    expect(await why().inputValue()).toBe('')
    expect(await draftOf()).not.toBe('A whole thought')

    await page.context().clearCookies()
    await page.reload()
    await signIn(page, acme.ownerEmail)
    await why().waitFor()
    expect(await why().inputValue()).toBe('A whole thought')
    await expect.poll(draftOf).toBe('A whole thought')
    await page.getByText('Draft saved').waitFor()
  })

  test('signing out saves it, and then deletes it from the browser', async () => {
    const mara = await acme.person('member', 'Mara')
    await openForm({ cookie: mara.cookie })
    await why().fill('Half a')
    await signOut(page)
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /draft/.test(key)))).toEqual(
      [],
    )
    const again = await signedIn(service.url, mara.email, acme.workspaceId)
    const { drafts } = (await again.get(`/tasks/${taskId}/drafts`)).body
    expect(drafts).toMatchObject([{ data: { reason: 'Half a' } }])
  })
})
