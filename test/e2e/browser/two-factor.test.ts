import { describe, expect, test } from 'vitest'
import { totpCode } from '../../support/authenticator.ts'
import { axeViolations, overflowingElements } from '../../support/browser.ts'
import { signIn, signOut } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { testPassword } from '../../support/service.ts'

describe('a person manages their account', () => {
  const { service, acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  test('sets up two-factor, then signs in and joins another workspace with codes of the app or recovery codes', async () => {
    const { page, go } = await visit(`/w/${acme.workspaceId}/inbox`, { width: 390, height: 844 })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
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
    await press('I have saved these codes')
    await page.getByRole('button', { name: 'Turn off' }).waitFor()

    // With the code of the app, by keyboard alone.
    await signOut(page)
    await signIn(page, acme.ownerEmail)
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
    await signIn(page, acme.ownerEmail)
    await press('Use a recovery code')
    await page.getByLabel('Recovery code').fill(recoveryCodes[0]!)
    await press('Sign in')
    await page.getByRole('button', { name: /^Account/ }).waitFor()

    // Another workspace also asks for a code.
    const other = await service.workspace()
    await go(`/invitation#${await other.mailedToken(acme.ownerEmail)}`)
    await page.getByLabel('Your name').fill('Olga Owner')
    await page.getByLabel('Password').fill(testPassword)
    await press('Join')
    await page.getByLabel('Two-factor code').fill(recoveryCodes[0]!)
    expect(await axeViolations(page)).toEqual([])
    await press('Join')
    await page.getByText('was already used').waitFor()
    await page.getByLabel('Two-factor code').fill(recoveryCodes[1]!)
    await press('Join')
    await page.waitForURL(`**/w/${other.workspaceId}/inbox`)
  })
})
