import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { choose } from '../../support/notifications.ts'

describe('a member chooses what is sent to them', () => {
  // Nothing listens there, and nothing is sent.
  const { acme, visit, allowProblems } = setUpBrowserTests({
    environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'handrail@example.com' },
  })
  const stored = async () => (await acme.owner.get('/notifications')).body
  const storedWants = async () => (await stored()).mail.wants
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

  async function open() {
    await acme.owner.put('/notifications', choose({ mail: ['assigned'] }))
    const opened = await visit(`/w/${acme.workspaceId}/settings/notifications`)
    await opened.page
      .getByRole('main')
      .getByText('New tasks: nothing. Tasks assigned to you: email immediately.')
      .waitFor()
    return opened
  }

  test('by keyboard or click, and the sentence says what will happen', async () => {
    const { page } = await open()
    await box(page, 'Email Urgent').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.getByRole('main').getByText('Urgent and high tasks: email immediately.').waitFor()
    await expect.poll(storedWants).toEqual(['urgent', 'high', 'assigned'])

    await box(page, 'Email High').click()
    await box(page, 'Email Normal').click()
    await box(page, 'Email Assigned to me').click()
    await page
      .getByRole('main')
      .getByText(
        'Urgent tasks: email immediately. High and low tasks: nothing. Normal tasks: one email per hour.',
      )
      .waitFor()
    await expect.poll(storedWants).toEqual(['urgent', 'normal'])
    await page.reload()
    await box(page, 'Email Normal').waitFor()
    expect(await box(page, 'Email Normal').isChecked()).toBe(true)
    expect(await box(page, 'Email Assigned to me').isChecked()).toBe(false)
  })

  test('several changes in a row are all kept', async () => {
    const { page } = await open()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let saves = 0
    await page.route('**/api/v1/notifications*', async (route) => {
      if (route.request().method() === 'PUT' && ++saves === 1) await held
      await route.continue()
    })
    await box(page, 'Email Urgent').click()
    await box(page, 'Email High').click()
    await box(page, 'Email Assigned to me').click()
    await expect.poll(() => saves).toBe(1)
    await expect.poll(() => box(page, 'Email High').isChecked()).toBe(true)
    release()
    await expect.poll(storedWants).toEqual(['urgent', 'high'])
    expect(await box(page, 'Email Assigned to me').isChecked()).toBe(false)
  })

  test('what was not saved is shown as before', async () => {
    const visited = await open()
    const { page } = visited
    allowProblems(visited)
    await page.route('**/api/v1/notifications*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await box(page, 'Email Urgent').click()
    await page.getByRole('alert').getByText("The setting wasn't saved.").waitFor()
    await expect.poll(() => box(page, 'Email Urgent').isChecked()).toBe(false)
    expect(await storedWants()).toEqual(['assigned'])
  })

  test('media that do not reach them are off and say why; quiet hours begin with the time zone of the browser', async () => {
    const { page } = await open()
    const rows = [
      ['Push', 'Turn it on in a browser below first.'],
      ['Slack', "Your workspace isn't connected to Slack."],
    ] as const
    for (const [medium, reason] of rows) {
      await page.getByRole('rowheader', { name: `${medium} ${reason}` }).waitFor()
      expect(await box(page, `${medium} Urgent`).isDisabled()).toBe(true)
    }
    expect(await box(page, 'Email Urgent').isEnabled()).toBe(true)

    await page.getByRole('switch', { name: 'Send nothing at certain hours' }).click()
    const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    await expect
      .poll(async () => (await stored()).quietHours)
      .toEqual({ from: '22:00', to: '07:00', timeZone, exceptUrgent: true })
    await page.getByLabel('From', { exact: true }).fill('07:00')
    await page.getByText('Must differ from the other time.').waitFor()
    await page.getByLabel('From', { exact: true }).fill('21:30')
    await page.getByLabel('Time zone').selectOption('America/New_York')
    await page.getByLabel('Send urgent tasks anyway').uncheck()
    await page
      .getByRole('main')
      .getByText(
        'From 21:30 to 07:00 (America/New York), nothing is sent; what is still open follows at 07:00.',
      )
      .waitFor()
    await expect
      .poll(async () => (await stored()).quietHours)
      .toEqual({ from: '21:30', to: '07:00', timeZone: 'America/New_York', exceptUrgent: false })
    await page.getByRole('switch', { name: 'Send nothing at certain hours' }).click()
    await expect.poll(async () => (await stored()).quietHours).toBeUndefined()
  })
})
