import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../support/authenticator.ts'
import { axeViolations, overflowingElements } from '../../support/browser.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { testPassword } from '../../support/service.ts'

describe('a workspace requires two-factor authentication', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests({ freshWorkspace: true })

  async function setUpTwoFactor(page: Page) {
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
    await page.getByLabel('Your password').fill(testPassword)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    const secret = (await page.locator('.two-factor-set-up-secret code').innerText()).replace(/\s/g, '')
    await page.getByLabel('Code', { exact: true }).fill(totpCode(`otpauth://totp/Handrail?secret=${secret}`))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('region', { name: 'Your recovery codes' }).waitFor()
  }

  test('the owner must have it first; a member with an open page is led through set-up and back', async () => {
    const mara = await acme.person()
    const theirs = await visit(`/w/${acme.workspaceId}/inbox`, {
      cookie: mara.cookie,
      width: 390,
      height: 844,
    })
    await theirs.page.getByText('No open tasks').waitFor()
    const settings = `/w/${acme.workspaceId}/settings`
    const owner = await visit(`${settings}/workspace`)
    const { page } = owner
    const require = async () => {
      await page.getByRole('switch', { name: 'Require two-factor authentication' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Require two-factor' }).click()
    }
    await require()
    await page.getByRole('dialog').getByText('Your own session has no second factor').waitFor()
    // Refusals are logged by the browser.
    allowProblems(owner)
    await owner.go(`${settings}/account`)
    await setUpTwoFactor(page)
    await owner.go(`${settings}/workspace`)
    await require()
    await page.getByRole('switch', { name: 'Require two-factor authentication', checked: true }).waitFor()

    allowProblems(theirs)
    const title = theirs.page.getByRole('heading', { name: 'Set up two-factor authentication to continue' })
    await title.waitFor()
    expect(await axeViolations(theirs.page)).toEqual([])
    expect(await overflowingElements(theirs.page)).toEqual([])
    await setUpTwoFactor(theirs.page)
    await theirs.page.getByRole('button', { name: /^Continue to/ }).click()
    await theirs.page.getByText('No open tasks').waitFor()
  })

  test('the lifetime and the scopes of new keys follow the settings', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/settings/workspace`)
    await page.getByLabel('Longest lifetime of API keys in days').fill('60')
    await page.getByLabel('Default scopes of API keys').selectOption('Read tasks (tasks:read)')
    await page.getByRole('button', { name: 'Save API key settings' }).click()
    await page.locator('.strip').getByText('The settings for API keys were saved.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('Exceeds the longest lifetime').waitFor()
    await page.getByLabel('Key name').fill('reader')
    expect(await page.getByLabel('Expires').innerText()).toBe('In 60 days\nIn 30 days')
    await page.getByRole('button', { name: 'Create key' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'reader' })
    await row.getByText('tasks:read').waitFor()
    await row.getByText(/expires/).waitFor()
  })
})
