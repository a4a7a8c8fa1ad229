import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signIn, signOut } from '../../support/browser-actions.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { callAs } from '../../support/http.ts'
import { taskPayload, testPassword } from '../../support/service.ts'

// Per account. The address, which all tests here share, has four times as many.
const attempts = 5

describe('people sign in', () => {
  const { service, acme, visit, blankTab } = setUpBrowserTests({
    environment: { SIGN_IN_LIMIT: String(attempts) },
  })

  const inbox = () => `/w/${acme.workspaceId}/inbox`
  const pathOf = (page: Page) => new URL(page.url()).pathname

  test('a wrong password is rejected, the right one leads to the requested page, and sign-out ends the session', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const { page } = await visit(`${inbox()}/${taskId}`, signedOut)
    await signIn(page, acme.ownerEmail, 'not the password')
    await page.getByRole('alert').filter({ hasText: 'Incorrect email or password.' }).waitFor()
    // This service sends no mail.
    await page.getByText('Ask the operator of this service to reset it.').waitFor()
    await signIn(page, acme.ownerEmail, testPassword)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    expect(pathOf(page)).toBe(`${inbox()}/${taskId}`)

    const [session] = await page.context().cookies()
    const asBefore = callAs(service.url, { cookie: `${session!.name}=${session!.value}` })
    expect((await asBefore.get('/me')).status).toBe(200)
    await signOut(page)
    expect((await asBefore.get('/me')).status).toBe(401)
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByText('Refund €40?').count()).toBe(0)
  })

  test('after too many attempts sign-in is blocked for a while, even with the right password', async () => {
    const mara = await acme.person()
    const { page } = await visit('/sign-in', signedOut)
    // Accepting the invitation counted as one attempt.
    for (let n = 1; n < attempts; n++) {
      // The message of the attempt before may still be shown.
      const responded = page.waitForResponse(/\/sign-in\/email$/)
      await signIn(page, mara.email, `guess number ${n}`)
      await responded
      await page.getByRole('alert').filter({ hasText: 'Incorrect email or password.' }).waitFor()
    }
    await signIn(page, mara.email, testPassword)
    const alert = page.getByRole('alert').filter({ hasText: 'Too many attempts.' })
    expect(await alert.innerText()).toMatch(/Try again in \d+ seconds\./)
    expect(pathOf(page)).toBe('/sign-in')
  })

  test('without email, the forgotten-password page promises none', async () => {
    const { page } = await visit('/forgot-password', signedOut)
    await page.getByText("This service can't send email. Ask its operator").waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('no link can redirect people to another site after sign-in', async () => {
    const { ownerEmail, workspaceId } = await service.workspace()
    const { page, go } = await blankTab(signedOut)
    for (const to of ['https://elsewhere.example/', '//elsewhere.example/', '/\\elsewhere.example/']) {
      await page.context().clearCookies()
      await go(`/sign-in?to=${encodeURIComponent(to)}`)
      await signIn(page, ownerEmail, testPassword)
      await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
      expect(page.url()).toBe(`${service.url}/w/${workspaceId}/inbox`)
    }
  })

  test('when the session has ended, the page asks to sign in and then returns', async () => {
    const owner = await service.workspace()
    await owner.agent.post('/tasks', taskPayload())
    const { page } = await visit(`/w/${owner.workspaceId}/inbox`, { cookie: owner.owner.cookie })
    await page.getByRole('option').waitFor()
    // The start pane is the last to load. A later request would lead to the sign-in page before the
    // click.
    await page.getByText('no deadline passed').waitFor()
    await page.context().clearCookies()
    await page.getByRole('option').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, owner.ownerEmail, testPassword)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
  })

  test('an unknown page says so, and another workspace stays inaccessible', async () => {
    const other = await service.workspace()
    const { page, go } = await visit('/nowhere/at/all')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await go(`/w/${other.workspaceId}/inbox`)
    await page.getByRole('heading', { name: /not a member of this workspace/ }).waitFor()
    await go(`${inbox()}/tsk_00000000000000000000000000`)
    await page.getByText('Task not found').waitFor()
  })

  test('a person with the wrong account can switch it and returns to the same page', async () => {
    const other = await service.workspace()
    const { taskId } = (await other.agent.post('/tasks', taskPayload())).body
    const mara = await acme.person()
    const path = `/w/${other.workspaceId}/inbox/${taskId}`
    const { page } = await visit(path, { cookie: mara.cookie })
    await page.getByText(`You're signed in as ${mara.email}.`).waitFor()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signIn(page, other.ownerEmail, testPassword)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    expect(pathOf(page)).toBe(path)
  })
})
