import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

describe('the security of a workspace is decided in the settings', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests()

  test('who requires two-factor authentication must have it first; the lifetime and the scopes of new keys follow the settings', async () => {
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
