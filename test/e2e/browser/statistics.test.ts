import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import type { Visitor } from '../../support/browser.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { type HandledTask, insertHandled } from '../../support/handled-tasks.ts'
import { taskPayload } from '../../support/service.ts'

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Version 2.0 is clearly worse, and people give reasons. */
const history: HandledTask[] = [
  ...Array.from({ length: 60 }, (_, i) => ({
    app: 'shop',
    version: i < 30 ? '1.0' : '2.0',
    daysAgo: i < 30 ? 10 : 5,
    actionId: i < 30 ? (i < 3 ? 'reject' : 'approve') : i < 50 ? 'reject' : 'approve',
    data: { reason: 'The parcel label is unreadable, see https://evil.example/label' },
    seconds: i < 30 ? 60 : 6_000,
    answerWithin: 600,
    handledBy: i % 2 ? 'mara@example.com' : 'omar@example.com',
  })),
  ...Array.from({ length: 5 }, () => ({ app: 'books', type: 'review', daysAgo: 2 })),
]
const pair = 'app=shop&type=refund-approval'

describe('the statistics page shows what people answered', () => {
  const { service, acme, visit } = setUpBrowserTests()
  beforeAll(async () => {
    await insertHandled(service.databaseUrl, acme.workspaceId, history)
    await acme.agent.post('/tasks', taskPayload({ app: 'shop' }))
  })

  async function open(search = '', visitor?: Visitor): Promise<Page> {
    const { page } = await visit(`/w/${acme.workspaceId}/statistics?${search}`, visitor)
    await page.getByRole('heading', { name: 'Answered by people' }).waitFor()
    return page
  }
  const figure = (page: Page, name: string) =>
    page
      .locator('.statistics-stat', { has: page.getByRole('heading', { name, exact: true }) })
      .locator('.statistics-value')
  const chart = (page: Page, name: string) => page.getByRole('region', { name })

  test('figures and answers in time, per person and as CSV, cover all answers; filters apply to them and to the export', async () => {
    const page = await open()
    await expect.poll(() => figure(page, 'Answered by people').innerText()).toBe('65')
    await expect.poll(() => figure(page, 'Open now').innerText()).toBe('1')
    expect(await figure(page, 'Negative answers').innerText()).toMatch(/^35\.4\s?%$/)
    const pairs = chart(page, 'Apps and types')
    expect(await pairs.getByRole('row', { name: /shop/ }).innerText()).toContain('Not healthy')
    expect(await pairs.getByRole('row', { name: /books/ }).innerText()).toContain('Too few answers')

    const inTime = chart(page, 'Answered in time')
    await inTime.getByText(/^30 of 60 tasks with a target time \(50.0\s%\) were answered in time\./).waitFor()
    const cells = inTime.getByRole('row', { name: /omar@example.com/ }).getByRole('cell')
    expect((await cells.allInnerTexts()).map((text) => text.replace('\u00a0', ' '))).toEqual([
      '30',
      '50.0 %',
      '15',
      '–',
    ])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      inTime.getByRole('button', { name: /CSV/ }).click(),
    ])
    expect(file.suggestedFilename()).toBe('answered-in-time.csv')
    expect(await readFile(await file.path(), 'utf8')).toContain('All,All tasks,60,30,30,0,0.5,')

    await pairs.getByRole('link', { name: 'shop / refund-approval' }).click()
    await expect.poll(() => figure(page, 'Answered by people').innerText()).toBe('60')
    await expect.poll(() => page.getByRole('combobox', { name: 'App' }).inputValue()).toBe('shop')
    const versions = chart(page, 'Versions')
    await versions.getByText(/^Version 2\.0 gets more negative answers than the others/).waitFor()
    expect(await versions.getByRole('row', { name: /2\.0/ }).innerText()).toContain('More negative')
    await chart(page, 'Top reasons').getByText('in 23 of 23 negative texts', { exact: true }).waitFor()

    await page.getByRole('combobox', { name: 'Person' }).selectOption('omar@example.com')
    await expect.poll(() => figure(page, 'Answered by people').innerText()).toBe('30')
    await page.goBack()
    await expect.poll(() => figure(page, 'Answered by people').innerText()).toBe('60')
    await page.getByRole('combobox', { name: 'Period' }).selectOption('7')
    await expect.poll(() => figure(page, 'Answered by people').innerText()).toBe('30')
    await page.getByRole('button', { name: 'Export' }).press('Enter')
    const [tasks] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Tasks as JSON Lines' }).press('Enter'),
    ])
    const lines = (await readFile(await tasks.path(), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).version)).toEqual(Array(30).fill('2.0'))
  })

  test('a chart can be shown as a table, and its bars lead to the tasks of a day by keyboard', async () => {
    const page = await open(pair)
    const actions = chart(page, 'Answers by action')
    await actions.getByText('37 of 60 answers').waitFor()
    const drawn = actions.locator('.recharts-bar-rectangle path')
    await expect.poll(async () => (await drawn.last().boundingBox())?.height).toBeGreaterThan(50)
    await actions.getByRole('button', { name: /View as table/ }).click()
    const row = actions.getByRole('row', { name: new RegExp(dayAgo(5)) })
    await expect
      .poll(() => row.getByRole('cell').allInnerTexts())
      .toEqual([dayAgo(5), dayAgo(5), '10', '20', '30'])
    await actions.getByRole('button', { name: /View as table/ }).click()
    await actions
      .getByRole('group', { name: /bar by bar/ })
      .getByRole('link')
      .first()
      .focus()
    await page.keyboard.press('End')
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toMatch(/: 30 answers, 10 Approve, 20 Reject$/)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/handled$/)
    await expect.poll(() => page.getByRole('option').first().getAttribute('aria-setsize')).toBe('30')
  })

  test('an empty result says so; a failed request says so and can be retried', async () => {
    const page = await open('app=nothing')
    await page.getByRole('heading', { name: 'No answers in this period' }).waitFor()
    await page.goto(`${service.url}/w/${acme.workspaceId}/statistics?from=2020-01-01&to=2026-01-01`)
    const alert = page.getByRole('alert')
    await alert.getByText(/Statistics couldn't be loaded\..*Request ID: req_/).waitFor()
    await alert.getByRole('button', { name: 'Try again' }).waitFor()
  })

  test('on a phone the figures are shown two per row and each verdict is visible, light and dark', async () => {
    const page = await open('', { width: 390, height: 844 })
    await chart(page, 'Apps and types').waitFor()
    const rows = () =>
      page
        .locator('.statistics-stat')
        .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().y)).size)
    await expect.poll(rows).toBe(3)
    const verdict = chart(page, 'Apps and types').getByText('Not healthy', { exact: true })
    const { x, width } = (await verdict.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(390)
    await expectAccessibleLayout(page)
  })
})
