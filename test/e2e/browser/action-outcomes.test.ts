import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../../src/contract/limits.ts'
import { expectAccessibleAlsoOnPhones } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { type HandledTask, insertHandled } from '../../support/handled-tasks.ts'
import { query } from '../../support/sql.ts'

const actions = [
  { id: 'approve', title: 'Approve' },
  { id: 'escalate', title: 'Escalate' },
  { id: 'archive', title: 'Archive', outcome: 'neutral' as const },
]
const answers = (app: string): HandledTask[] =>
  [
    'escalate',
    'escalate',
    'escalate',
    'approve',
    'approve',
    'approve',
    'approve',
    'approve',
    'archive',
    'archive',
  ].map((actionId) => ({ app, type: 'review', actions, actionId, daysAgo: 2 }))

describe('the statistics page asks an admin what answers mean', () => {
  const { service, acme, visit } = setUpBrowserTests()
  beforeAll(async () => {
    const history = ['shop', 'books'].flatMap(answers)
    await insertHandled(service.databaseUrl, acme.workspaceId, history)
  })

  const pathOf = (app: string) => `/w/${acme.workspaceId}/statistics?app=${app}&type=review`
  async function open(app: string) {
    const { page, goAs } = await visit(pathOf(app))
    const meanings = page.getByRole('region', { name: 'What actions mean' })
    await meanings.waitFor()
    return { page, goAs, meanings, escalate: meanings.getByRole('group', { name: 'Escalate 3 answers' }) }
  }
  const negativeShare = (page: Page) =>
    page
      .locator('.statistics-stat', {
        has: page.getByRole('heading', { name: 'Negative answers', exact: true }),
      })
      .locator('.statistics-value')

  test('and counts what they choose, by keyboard too', async () => {
    const { page, meanings, escalate } = await open('shop')
    await expect.poll(() => negativeShare(page).innerText()).toMatch(/^0/)
    await meanings.getByText('so their answers count as neutral until you set what they mean').waitFor()
    expect(await escalate.getByRole('radio', { checked: true }).count()).toBe(0)
    await escalate.getByRole('radio', { name: 'Neutral' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => negativeShare(page).innerText()).toMatch(/^30/)
    await meanings.getByText('Saved.').waitFor()
    // The choice stays where it was made, with the focus.
    const chosen = escalate.getByRole('radio', { name: 'Negative', checked: true })
    expect(await chosen.evaluate((radio) => radio === document.activeElement)).toBe(true)
    expect((await acme.owner.get('/action-outcomes?app=shop&type=review')).body.actionOutcomes).toMatchObject(
      [{ actionId: 'escalate', outcome: 'negative', setBy: acme.ownerEmail }],
    )

    // What the sender declares is not listed.
    expect(await meanings.getByText('Archive').count()).toBe(0)
    await page.reload()
    await meanings.getByText('Change what other actions mean').click()
    await chosen.waitFor()
    await meanings
      .getByRole('group', { name: 'Approve 5 answers' })
      .getByRole('radio', { name: 'Neutral' })
      .click()
    await escalate.getByRole('radio', { name: 'Positive' }).click()
    await expect.poll(() => negativeShare(page).innerText()).toMatch(/^0/)
    await expectAccessibleAlsoOnPhones(page)
  })

  test('an admin sees why a choice could not be saved; a member sees what answers mean and cannot change it', async () => {
    const { goAs, meanings, escalate } = await open('books')
    await query(
      service.databaseUrl,
      `INSERT INTO action_outcomes (workspace_id, app, type, action_id, outcome, set_by)
       SELECT $1, 'books', 'review', n, 'neutral', 'usr_test' FROM generate_series(1, ${limits.actionOutcomesPerType}) n`,
      [acme.workspaceId],
    )
    await escalate.getByRole('radio', { name: 'Negative' }).click()
    await meanings
      .getByRole('alert')
      .getByText(/^The meaning couldn't be saved\. At most 200 actions/)
      .waitFor()
    await expect.poll(() => escalate.getByRole('radio', { checked: true }).count()).toBe(0)

    const mara = await acme.person()
    await goAs(mara.cookie, pathOf('books'))
    await meanings.getByText('until an admin sets what they mean').waitFor()
    expect(await meanings.getByRole('listitem').first().innerText()).toMatch(/Escalate\s+3 answers\s+Neutral/)
    expect(await meanings.getByRole('radio').count()).toBe(0)
  })
})
