import { describe, expect, test } from 'vitest'
import { totpCode } from '../../support/authenticator.ts'
import { axeViolations, overflowingElements } from '../../support/browser.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { callAs } from '../../support/http.ts'
import { testPassword } from '../../support/service.ts'

describe('a workspace requires two-factor authentication', () => {
  const { service, acme, visit, allowProblems } = setUpBrowserTests({ freshWorkspace: true })

  /** As an owner who has it themselves. */
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

  test('a member with an open page is led through set-up and back', async () => {
    const { cookie } = await acme.person()
    const visited = await visit(`/w/${acme.workspaceId}/inbox`, { cookie, width: 390, height: 844 })
    // Refusals are logged by the browser.
    allowProblems(visited)
    const { page } = visited
    await page.getByText('No open tasks').waitFor()
    await requireTwoFactor()
    await page.getByRole('heading', { name: 'Set up two-factor authentication to continue' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowingElements(page)).toEqual([])
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
    await page.getByLabel('Your password').fill(testPassword)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    const secret = (await page.locator('.two-factor-set-up-secret code').innerText()).replace(/\s/g, '')
    await page.getByLabel('Code', { exact: true }).fill(totpCode(`otpauth://totp/Handrail?secret=${secret}`))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('region', { name: 'Your recovery codes' }).waitFor()
    await page.getByRole('button', { name: /^Continue to/ }).click()
    await page.getByText('No open tasks').waitFor()
  })

  test('the owner must have it first; the lifetime and the scopes of new keys follow the settings', async () => {
    const visited = await visit(`/w/${acme.workspaceId}/settings/workspace`)
    allowProblems(visited) // The refusal is a 403.
    const { page } = visited
    await page.getByRole('switch', { name: 'Require two-factor authentication' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Require two-factor' }).click()
    await dialog.getByText('Your own session has no second factor').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.getByLabel('Longest lifetime of API keys in days').fill('60')
    await page.getByLabel('Default scopes of API keys').selectOption('Read tasks (tasks:read)')
    await page.getByRole('button', { name: 'Save API key settings' }).click()
    await page.locator('.strip').getByText('The settings for API keys were saved.').waitFor()
    const saved = { maxKeyDays: 60, defaultKeyScopes: ['tasks:read'] }
    expect((await acme.owner.get('/workspace')).body).toMatchObject(saved)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('Exceeds the longest lifetime').waitFor()
    expect(await page.getByLabel('Expires').innerText()).toBe('In 60 days\nIn 30 days')
  })
})
