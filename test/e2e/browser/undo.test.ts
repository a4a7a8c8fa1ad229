import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { createTasks, taskNames, waitForRejectDialog, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

describe('an answer can be undone for a few seconds', () => {
  const { acme, visit } = setUpBrowserTests()
  let page: Page
  let ids: string[] = []
  beforeEach(async () => {
    for (const id of ids) await acme.agent.post(`/tasks/${id}/cancel`)
  })

  /** Opens the first of three tasks. */
  async function openFirst() {
    ids = await createTasks(acme, ['First', 'Second', 'Third'])
    page = (await visit(`/w/${acme.workspaceId}/inbox`, { undoSeconds: 600 })).page
    await page.getByRole('option', { name: /First/ }).click()
    await taskIs('First')
  }

  const press = (key: string) => page.keyboard.press(key)
  const taskIs = (name: string) => waitForTask(page, name)
  const undo = () => page.getByRole('button', { name: 'Undo', exact: true })
  const sendNow = () => page.getByRole('button', { name: 'Send now' })
  const stack = () => page.getByRole('list', { name: 'Answers you can undo' })
  const statusOf = async (n: number) => (await acme.agent.get(`/tasks/${ids[n]}`)).body.status
  const namesInList = () => taskNames(page)

  async function decline(reason: string) {
    await press('Alt+2')
    await page.getByLabel('Why?').fill(reason)
    await press('Control+Enter')
  }

  test('Z reopens an answered or rejected task with the typed text, and nothing was sent', async () => {
    await openFirst()
    await decline('Too late')
    await taskIs('Second')
    await undo().waitFor()
    expect(await stack().innerText()).toMatch(/^First\n“Decline” in \d+ s/)
    await expect.poll(namesInList).toEqual(['Second', 'Third'])
    await press('z')
    await taskIs('First')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    expect(await page.getByRole('button', { name: 'Decline', pressed: true }).count()).toBe(1)
    await expect.poll(() => undo().count()).toBe(0)
    await expect.poll(namesInList).toEqual(['First', 'Second', 'Third'])
    expect(await statusOf(0)).toBe('open')

    await press('Control+Enter')
    await taskIs('Second')
    await press('r')
    await waitForRejectDialog(page)
    await page.keyboard.type('Say which invoice')
    await press('Control+Enter')
    await taskIs('Third')
    await expect.poll(() => stack().getByRole('listitem').count()).toBe(2)
    expect(await stack().getByRole('listitem').first().innerText()).toMatch(/Decline · First\s+Undo/)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.down('z')
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await dialog.waitFor()
    // The held key is neither typed into the dialog nor handled again.
    await page.keyboard.down('z')
    await page.keyboard.up('z')
    expect(await dialog.getByLabel('Why?').inputValue()).toBe('Say which invoice')
    expect([await statusOf(0), await statusOf(1)]).toEqual(['open', 'open'])
    await waitUntilAnswerable(page)
    await press('Control+Enter')
    await taskIs('Third')
    // The text is offered as a reason from now on.
    await press('r')
    await dialog.getByRole('button', { name: 'Say which invoice' }).waitFor()
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await sendNow().click()
    await expect.poll(() => statusOf(1)).toBe('handled')

    await press('z')
    await taskIs('First')
    await expect.poll(() => stack().count()).toBe(0)
    // With Send and stay, the answer replaces the form.
    await press('Control+Shift+Enter')
    await undo().waitFor()
    await expect.poll(() => page.getByLabel('Why?').isDisabled()).toBe(true)
    await sendNow().click()
    const answer = page.getByRole('complementary', { name: 'Answer', exact: true })
    await answer.getByText('Too late').waitFor()
    await answer.getByText('the agent fetches the result itself').waitFor()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
  })

  const answerUrls = /\/(handle|mark-done|reject)$/

  /** Makes the service refuse all answers, with this reason. */
  async function refuse(detail: string) {
    await page.unroute(answerUrls)
    await page.route(answerUrls, (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Forbidden',
          status: 403,
          code: 'forbidden',
          detail,
          requestId: 'req_1',
        }),
      }),
    )
  }

  /** Waits until the first task shows why its answer was refused. */
  async function expectRefusal(detail: string) {
    const refusal = page
      .getByRole('complementary', { name: 'Your answer' })
      .getByText(`Your answer wasn't sent. ${detail}`)
    // If the response takes long, the page has already left the task and offers to open it again.
    const openAgain = page.getByRole('button', { name: 'Open: First', exact: true })
    await refusal.or(openAgain).first().waitFor()
    if (await openAgain.isVisible()) await openAgain.click()
    await refusal.waitFor()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
    await page.getByRole('region', { name: 'Unsent answers' }).waitFor({ state: 'detached' })
  }

  test('when an answer fails after the undo time, the task returns with its text and the reason, also on a phone; once it was sent, it can no longer be undone', async () => {
    await openFirst()
    await refuse('Only admins may answer this.')
    await press('r')
    await waitForRejectDialog(page)
    await page.keyboard.type('Say which invoice')
    await press('Control+Enter')
    await taskIs('Second')
    await sendNow().click()
    await page.getByRole('button', { name: 'Open: First', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await dialog.getByText("The task wasn't rejected. Only admins may answer this.").waitFor()
    expect(await dialog.getByLabel('Why?').inputValue()).toBe('Say which invoice')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expectRefusal('Only admins may answer this.')

    await refuse('Ask Mara.')
    await decline('Too late')
    await taskIs('Second')
    await sendNow().click()
    const unsent = page.getByRole('region', { name: 'Unsent answers' })
    await unsent.getByText('Not sent: Ask Mara.').waitFor()
    await expect.poll(namesInList).toEqual(['First', 'Second', 'Third'])
    await unsent.getByRole('button', { name: 'Open' }).click()
    await taskIs('First')
    await expectRefusal('Ask Mara.')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    expect(await unsent.count()).toBe(0)
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText("Your answer wasn't sent. Ask Mara.").waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize(size)

    await page.unroute(answerUrls)
    await page.evaluate(() => {
      localStorage['handrail.undoSeconds'] = '2'
    })
    await press('Control+Enter')
    await taskIs('Second')
    await expect.poll(() => statusOf(0)).toBe('handled')
    await undo().waitFor({ state: 'detached' })
    await Promise.all([
      page.getByText('“Decline” for “First” can no longer be undone.').waitFor(),
      press('z'),
    ])
    await taskIs('Second')
  })
})
