import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signIn, signOut } from '../../support/browser-actions.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { callAs } from '../../support/http.ts'
import { taskPayload, testPassword } from '../../support/service.ts'

describe('people sign in', () => {
  const { service, acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  const inbox = () => `/w/${acme.workspaceId}/inbox`
  const pathOf = (page: Page) => new URL(page.url()).pathname

  test('when the session has ended, the right password leads to the requested page, and sign-out ends the new session', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const { page } = await visit(inbox())
    await page.getByRole('option').waitFor()
    // The start pane is the last to load. A later request would lead to the sign-in page before the
    // click.
    await page.getByText('no deadline passed').waitFor()
    await page.context().clearCookies()
    await page.getByRole('option').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
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

  test('no link leads to another site after sign-in; a page that does not exist or is not theirs says so, and another account returns to the same page', async () => {
    const other = await service.workspace()
    const { taskId } = (await other.agent.post('/tasks', taskPayload())).body
    const to = encodeURIComponent('//elsewhere.example/')
    const { page, go } = await visit(`/sign-in?to=${to}`, signedOut)
    await signIn(page, acme.ownerEmail, testPassword)
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    expect(page.url()).toBe(`${service.url}${inbox()}`)

    await go('/nowhere/at/all')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await go(`${inbox()}/tsk_00000000000000000000000000`)
    await page.getByText('Task not found').waitFor()

    const path = `/w/${other.workspaceId}/inbox/${taskId}`
    await go(path)
    await page.getByRole('heading', { name: /not a member of this workspace/ }).waitFor()
    await page.getByText(`You're signed in as ${acme.ownerEmail}.`).waitFor()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signIn(page, other.ownerEmail, testPassword)
    await page.getByRole('heading', { level: 1, name: 'Refund €40?' }).waitFor()
    expect(pathOf(page)).toBe(path)
  })
})
