import { describe, expect, test } from 'vitest'
import { totpCode } from '../../support/authenticator.ts'
import { axeViolations, overflowingElements } from '../../support/browser.ts'
import { signIn, signOut } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { callAs } from '../../support/http.ts'
import { testPassword } from '../../support/service.ts'

describe('a person uses two-factor authentication', () => {
  const { service, acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  /** Requires it in the workspace, as an owner who has it themselves. */
  async function requireTwoFactor() {
    const asOwner = { cookie: acme.owner.cookie, origin: service.url }
    const post = (path: string, body: object) =>
      fetch(`${service.url}/api/auth${path}`, {
        method: 'POST',
        headers: { ...asOwner, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const { totpURI } = await (await post('/two-factor/enable', { password: testPassword })).json()
    const { headers } = await post('/two-factor/verify-totp', { code: totpCode(totpURI) })
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const owner = callAs(service.url, { ...asOwner, cookie, 'handrail-workspace': acme.workspaceId })
    expect((await owner.patch('/workspace', { requiresTwoFactor: true })).status).toBe(200)
  }

  test('a member of a workspace that requires it is led through set-up and back, then signs in and joins another workspace with codes of the app or recovery codes', async () => {
    const { email, cookie } = await acme.person()
    const { page, go } = await visit(`/w/${acme.workspaceId}/inbox`, { cookie, width: 390, height: 844 })
    const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
    await page.getByText('No open tasks').waitFor()
    await requireTwoFactor()
    await page.getByRole('heading', { name: 'Set up two-factor authentication to continue' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowingElements(page)).toEqual([])
    await press('Set up two-factor authentication')
    await page.getByLabel('Your password').fill(testPassword)
    await press('Continue')
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = (await page.locator('.two-factor-set-up-secret code').innerText()).replace(/\s/g, '')
    const totpURI = `otpauth://totp/Handrail?secret=${secret}`
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowingElements(page)).toEqual([])
    await page.locator('input[name=code]:focus').waitFor()
    await page.keyboard.type(`${totpCode(totpURI)}\n`)
    const box = page.getByRole('region', { name: 'Your recovery codes' })
    await box.waitFor()
    const recoveryCodes = await box.getByRole('listitem').allInnerTexts()
    expect(recoveryCodes).toHaveLength(10)
    expect(await axeViolations(page)).toEqual([])
    await press(/^Continue to/)
    await page.getByText('No open tasks').waitFor()

    // With the code of the app, by keyboard alone.
    await signOut(page)
    await signIn(page, email)
    const code = page.getByLabel('Code', { exact: true })
    await code.waitFor()
    expect(await code.evaluate((field: HTMLInputElement) => [field.autocomplete, field.inputMode])).toEqual([
      'one-time-code',
      'numeric',
    ])
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.type('000000\n')
    await page.getByText('This code is invalid').waitFor()
    await code.fill(totpCode(totpURI, 1))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Account/ }).waitFor()

    // Without the phone, by a recovery code.
    await signOut(page)
    await signIn(page, email)
    await press('Use a recovery code')
    await page.getByLabel('Recovery code').fill(recoveryCodes[0]!)
    await press('Sign in')
    await page.getByRole('button', { name: /^Account/ }).waitFor()

    // Another workspace also asks for a code.
    const other = await service.workspace()
    await go(`/invitation#${await other.mailedToken(email)}`)
    await page.getByLabel('Your name').fill('Mara Member')
    await page.getByLabel('Password').fill(testPassword)
    await press('Join')
    await page.getByLabel('Two-factor code').fill(recoveryCodes[0]!)
    await press('Join')
    await page.getByText('was already used').waitFor()
    await page.getByLabel('Two-factor code').fill(recoveryCodes[1]!)
    await press('Join')
    await page.waitForURL(`**/w/${other.workspaceId}/inbox`)
  })
})
