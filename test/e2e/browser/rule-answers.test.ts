import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { insertHandled } from '../../support/handled-tasks.ts'
import { insertRule } from '../../support/rules.ts'

const ruleId = `rul_${'5'.repeat(26)}`
const otherRuleId = `rul_${'6'.repeat(26)}`

describe('answers of rules in the web app', () => {
  const { service, acme, visit } = setUpBrowserTests()
  beforeAll(async () => {
    await insertRule(service.databaseUrl, acme.workspaceId, { ruleId, name: 'Small refunds' })
    await insertRule(service.databaseUrl, acme.workspaceId, { ruleId: otherRuleId, name: 'Known customers' })
    const byRule = { app: 'shop', decidedBy: 'rule' as const }
    await insertHandled(service.databaseUrl, acme.workspaceId, [
      ...Array.from({ length: 3 }, () => ({ ...byRule, ruleId })),
      ...Array.from({ length: 2 }, () => ({ ...byRule, ruleId: otherRuleId })),
      { app: 'shop' },
      { app: 'shop', decidedBy: 'timeout' },
    ])
  })

  test('are listed with others, by rule, or all of them, and are counted apart in the statistics', async () => {
    const { page, go } = await visit(`/w/${acme.workspaceId}/handled`)
    const expectRows = (count: number) =>
      expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(count)
    await expectRows(7)
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'Standing rules' }).press('Enter')
    await expectRows(5)
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'Small refunds' }).press('Enter')
    await expectRows(3)
    expect(new URL(page.url()).searchParams.get('rule')).toBe(ruleId)
    await page.getByText('Small refunds').first().waitFor()
    // The URL is a link to the answers of the rule.
    await page.reload()
    await expectRows(3)

    await go(`/w/${acme.workspaceId}/statistics`)
    const figure = page.locator('.statistics-stat', {
      has: page.getByRole('heading', { name: 'Answered at the deadline' }),
    })
    await expect.poll(() => figure.locator('.statistics-value').innerText()).toBe('1')
    expect(await figure.innerText()).toContain('Not counted as feedback\n5 more answered by rules')
    const pairs = page.getByRole('region', { name: 'Apps and types' })
    // Shown where there is space, like the column of timeouts.
    await pairs
      .getByRole('columnheader', { name: 'By rules', includeHidden: true })
      .waitFor({ state: 'attached' })
    const cells = pairs.getByRole('row', { name: /shop/ }).locator('td')
    expect(await cells.allTextContents()).toContain('5')
    await expectAccessibleLayout(page)
  })
})
