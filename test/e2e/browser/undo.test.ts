import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { axeViolations, type Visitor } from '../../support/browser.ts'
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
  async function openFirst(visitor: Visitor = {}) {
    ids = await createTasks(acme, ['First', 'Second', 'Third'])
    page = (await visit(`/w/${acme.workspaceId}/inbox`, { undoSeconds: 60, ...visitor })).page
    await page.getByRole('option', { name: /First/ }).click()
    await taskIs('First')
  }

  const press = (key: string) => page.keyboard.press(key)
  const taskIs = (name: string) => waitForTask(page, name)
  const undo = () => page.getByRole('button', { name: 'Undo', exact: true })
  const stack = () => page.getByRole('list', { name: 'Answers you can undo' })
  const statusOf = async (n: number) => (await acme.agent.get(`/tasks/${ids[n]}`)).body.status
  const namesInList = () => taskNames(page)

  async function decline(reason: string) {
    await press('Alt+2')
    await page.getByLabel('Why?').fill(reason)
    await press('Control+Enter')
  }

  test('Z reopens the task with the typed text, and nothing was sent', async () => {
    await openFirst()
    await decline('Too late')
    await taskIs('Second')
    await undo().waitFor()
    expect(await stack().innerText()).toMatch(/^First\n“Decline” in \d+ s/)
    await expect.poll(namesInList).toEqual(['Second', 'Third'])
    expect(await axeViolations(page)).toEqual([])
    await press('z')
    await taskIs('First')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    expect(await page.getByRole('button', { name: 'Decline', pressed: true }).count()).toBe(1)
    await expect.poll(() => undo().count()).toBe(0)
    await expect.poll(namesInList).toEqual(['First', 'Second', 'Third'])
    expect(await statusOf(0)).toBe('open')

    await press('Control+Enter')
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => statusOf(0)).toBe('handled')
    await expect.poll(() => undo().count()).toBe(0)
  })

  test('an action without a form takes one key and is sent after the delay', async () => {
    await openFirst({ undoSeconds: 10 })
    await press('Alt+1')
    await undo().waitFor()
    expect(await statusOf(0)).toBe('open')
    await taskIs('Second')
    await expect.poll(() => statusOf(0)).toBe('handled')
    await undo().waitFor({ state: 'detached' })
    // Too late: the page says so and names the answer.
    await Promise.all([
      page.getByText('“Approve” for “First” can no longer be undone.').waitFor(),
      press('z'),
    ])
    await taskIs('Second')
  })

  test('an undone rejection keeps its text', async () => {
    await openFirst()
    await press('r')
    await waitForRejectDialog(page)
    await page.keyboard.type('Say which invoice')
    await press('Control+Enter')
    await taskIs('Second')
    await page.keyboard.down('z')
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await dialog.waitFor()
    // The held key is neither typed into the dialog nor handled again.
    await page.keyboard.down('z')
    await page.keyboard.up('z')
    expect(await dialog.getByLabel('Why?').inputValue()).toBe('Say which invoice')
    await waitUntilAnswerable(page)
    await press('Control+Enter')
    await taskIs('Second')
    // The text is offered as a reason from now on.
    await press('r')
    await dialog.getByRole('button', { name: 'Say which invoice' }).waitFor()
  })

  test('leaving the page sends the answer immediately', async () => {
    await openFirst()
    await decline('Too late')
    await taskIs('Second')
    await page.goto('about:blank')
    await expect.poll(() => statusOf(0)).toBe('handled')
    expect((await acme.agent.get(`/tasks/${ids[0]}`)).body.handled.data).toEqual({ reason: 'Too late' })
  })

  test('Z undoes the newest answer, then the one before it', async () => {
    await openFirst()
    await press('e')
    await taskIs('Second')
    await decline('Too late')
    await taskIs('Third')
    await expect.poll(() => stack().getByRole('listitem').count()).toBe(2)
    expect(await stack().getByRole('listitem').first().innerText()).toMatch(/Mark done · First\s+Undo/)
    expect(await axeViolations(page)).toEqual([])
    await press('Control+z')
    await taskIs('Second')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    await press('Escape')
    await press('z')
    await taskIs('First')
    await expect.poll(namesInList).toEqual(['First', 'Second', 'Third'])
    expect([await statusOf(0), await statusOf(1)]).toEqual(['open', 'open'])
    await expect.poll(() => stack().count()).toBe(0)
  })

  test('an older answer can be undone without the newest', async () => {
    await openFirst()
    await press('e')
    await taskIs('Second')
    await press('e')
    await taskIs('Third')
    await page.getByRole('button', { name: 'Undo Mark done: First' }).click()
    await taskIs('First')
    await expect.poll(namesInList).toEqual(['First', 'Third'])
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => statusOf(1)).toBe('handled')
    expect(await statusOf(0)).toBe('open')
  })

  async function refuse(url: string) {
    await page.route(url, (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'about:blank',
          title: 'Forbidden',
          status: 403,
          code: 'forbidden',
          detail: 'You may not answer this.',
          requestId: 'req_1',
        }),
      }),
    )
  }

  test.each([
    ['sent immediately from a phone', { width: 390, undoSeconds: 0 }],
    ['sent immediately', { width: 1280, undoSeconds: 0 }],
    ['sent with Send now', { width: 1280, undoSeconds: 60 }],
  ] as const)('when Mark done fails, the task shows the reason: %s', async (_, visitor) => {
    await openFirst(visitor)
    await refuse('**/mark-done')
    if (visitor.width === 390) await page.getByRole('button', { name: 'Mark done' }).click()
    else await press('e')
    // Without Undo, a dialog asks first.
    const confirm = page
      .getByRole('dialog', { name: 'Mark done?' })
      .getByRole('button', { name: 'Mark done' })
    if (visitor.undoSeconds === 0) await confirm.click()
    // If the response takes long, the page has already left the task and offers to open it again.
    if (visitor.undoSeconds > 0) await page.getByRole('button', { name: 'Send now' }).click()
    const refusal = page
      .getByRole('complementary', { name: 'Your answer' })
      .getByText("Your answer wasn't sent. You may not answer this.")
    const openAgain = page.getByRole('button', { name: 'Open: First', exact: true })
    await refusal.or(openAgain).first().waitFor()
    if (await openAgain.isVisible()) await openAgain.click()
    await refusal.waitFor()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
    await page.getByRole('region', { name: 'Unsent answers' }).waitFor({ state: 'detached' })
    expect(await axeViolations(page)).toEqual([])
  })

  test('when a rejection fails, its dialog reopens with the text and the reason', async () => {
    await openFirst()
    await refuse('**/reject')
    await press('r')
    await waitForRejectDialog(page)
    await page.keyboard.type('Say which invoice')
    await press('Control+Enter')
    await taskIs('Second')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('button', { name: 'Open: First', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await dialog.getByText("The task wasn't rejected. You may not answer this.").waitFor()
    expect(await dialog.getByLabel('Why?').inputValue()).toBe('Say which invoice')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText("Your answer wasn't sent. You may not answer this.").waitFor()
  })

  test('when an answer fails, the task returns with its draft and the reason', async () => {
    await openFirst()
    await refuse('**/handle')
    await decline('Too late')
    await taskIs('Second')
    await page.getByRole('button', { name: 'Send now' }).click()
    const unsent = page.getByRole('region', { name: 'Unsent answers' })
    await unsent.getByText('Not sent: You may not answer this.').waitFor()
    await expect.poll(namesInList).toEqual(['First', 'Second', 'Third'])
    await unsent.getByRole('button', { name: 'Open' }).click()
    await taskIs('First')
    await page.getByText("Your answer wasn't sent. You may not answer this.").waitFor()
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    expect(await unsent.count()).toBe(0)
    await page.unroute('**/handle')
    await press('Control+Enter')
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => statusOf(0)).toBe('handled')
  })

  test('after Send and stay, the answer replaces the form', async () => {
    await openFirst()
    await press('Alt+2')
    await page.getByLabel('Why?').fill('Too late')
    await press('Control+Shift+Enter')
    await undo().waitFor()
    await expect.poll(() => page.getByLabel('Why?').isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Send now' }).click()
    const answer = page.getByRole('complementary', { name: 'Answer', exact: true })
    await answer.getByText('Too late').waitFor()
    await answer.getByText('the agent fetches the result itself').waitFor()
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
  })
})
