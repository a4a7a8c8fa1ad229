import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInLink } from '../../../src/server/domain/workspaces/sign-in-links.ts'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { startIdentityProvider } from '../../support/identity-provider.ts'
import { testPassword } from '../../support/service.ts'

const provider = await startIdentityProvider()

describe('a person signs in with the identity provider of their company', () => {
  const { service, acme, visit, allowProblems } = setUpBrowserTests({
    environment: provider.environment,
    workspaceName: 'Harbour Goods',
  })
  beforeAll(() => provider.serve(service.url))
  afterAll(() => provider.stop())

  test('links their account with its password once, and later continues to the page they wanted', async () => {
    const { email } = await acme.person()
    provider.employee = { sub: 'mara', email, email_verified: true }
    const first = await visit('/sign-in', signedOut)
    allowProblems(first) // It leaves for the provider's own page. Without a session, a page first gets a 401.
    const { page } = first
    const signIn = page.getByRole('button', { name: 'Continue with Acme ID' })
    await signIn.waitFor()
    await expectAccessibleLayout(page)
    await signIn.click()
    await page.getByRole('heading', { name: 'Link Acme ID to your account' }).waitFor()
    await page.getByText(`${email} already has an account here.`).waitFor()
    await expectAccessibleLayout(page)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Link and sign in' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()

    await page.context().clearCookies()
    await first.go(`/w/${acme.workspaceId}/settings/account`)
    await page.getByRole('button', { name: 'Continue with Acme ID' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${acme.workspaceId}/settings/account`)
  })

  test('is told why they cannot sign in, and how to go on', async () => {
    provider.employee = { sub: 'stranger', email: 'stranger@example.com', email_verified: true }
    const visited = await visit('/sign-in', signedOut)
    allowProblems(visited) // The refusal is a 403.
    const { page } = visited
    await page.getByRole('button', { name: 'Continue with Acme ID' }).click()
    await page.getByRole('heading', { name: "You're not signed in" }).waitFor()
    await page.getByText('Nobody has invited stranger@example.com yet.').waitFor()
    await expectAccessibleLayout(page)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await page.getByLabel('Password').waitFor()
  })

  test('joins from the page of an invitation, without choosing a password', async () => {
    const token = await acme.mailedToken('ida@example.com')
    provider.employee = { sub: 'ida', email: 'ida@example.com', email_verified: true, name: 'Ida Invited' }
    const visited = await visit(`/invitation#${token}`, signedOut)
    allowProblems(visited) // It leaves for the provider's own page.
    const { page } = visited
    await page.getByRole('button', { name: 'Continue with Acme ID' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  test('sees no password where passwords are off, and the operator’s link still signs them in', async () => {
    service.app.service.passwordSignIn = false
    try {
      const { page, go } = await visit('/sign-in', signedOut)
      await page.getByRole('button', { name: 'Continue with Acme ID' }).waitFor()
      expect(await page.locator('input').count()).toBe(0)
      const { link } = await createSignInLink(service.app.service, acme.ownerEmail)
      await go(link.slice(service.url.length))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    } finally {
      service.app.service.passwordSignIn = true
    }
  })
})
