import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { createTasks, taskNames, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

describe('several tasks are answered at once', () => {
  const { acme, visit, blankTab } = setUpBrowserTests({ freshWorkspace: true })
  let ids: string[]
  beforeEach(async () => {
    ids = await createTasks(acme, ['One', 'Two', 'Three', 'Four', 'Five'])
  })

  const inbox = () => `/w/${acme.workspaceId}/inbox`
  const expectTasks = (page: Page, names: string[]) => expect.poll(() => taskNames(page)).toEqual(names)
  const selectedIn = (page: Page) =>
    page.locator('[role=option][aria-checked=true] .rows-name').allInnerTexts()
  /**
   * Waits until the dialog accepts an answer, which it does only after it has been in view for a
   * short time.
   */
  const waitForDialog = (page: Page) => page.locator('[role=dialog] [data-answerable]').waitFor()
  const records = async () =>
    (await Promise.all(ids.map((id) => acme.agent.get(`/tasks/${id}`)))).map(({ body }) => body)
  const answersTo = async () =>
    (await records()).map(({ handled }) => handled && [handled.actionId, handled.data])

  /** Selects tasks by X, Shift+J and Ctrl+A, and removes all from the selection by Esc. The third is open. */
  async function selectOneAndThree(page: Page) {
    for (const name of ['Two', 'One']) {
      await page.keyboard.press('k')
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await page.keyboard.press('Control+a')
    await page.getByText('5 selected').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => selectedIn(page)).toEqual([])
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('Shift+J')
    await expect.poll(() => selectedIn(page)).toEqual(['One', 'Two', 'Three'])
    await page.keyboard.press('k')
    await page.getByRole('heading', { level: 1, name: 'Two' }).waitFor()
    await page.keyboard.press('x')
    await expect.poll(() => selectedIn(page)).toEqual(['One', 'Three'])
  }

  test('several selected tasks are answered by every answering key, undone as one, and marked done after a confirmation', async () => {
    const { page } = await visit(inbox(), { undoSeconds: 600 })
    await expectTasks(page, ['One', 'Two', 'Three', 'Four', 'Five'])
    await page.keyboard.press('j')
    await waitForTask(page, 'One')
    await page.keyboard.press('x')
    await page.getByText('Keyboard shortcuts apply to the selected tasks.').waitFor()
    await page.getByRole('region', { name: 'Selected tasks' }).waitFor()
    const dialog = page.getByRole('dialog')
    const stack = page.getByRole('list', { name: 'Answers you can undo' })
    // The task was open before anything was selected: its own keys must not take precedence.
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Mark 1 task done?' }).waitFor()
    expect(await stack.count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+J')
    await expect.poll(() => selectedIn(page)).toEqual(['One', 'Two'])
    await waitForTask(page, 'Two')
    for (const [key, name] of [
      ['r', 'Reject 2 tasks'],
      ['Control+Enter', 'Answer 2 tasks'],
      ['Alt+1', 'Answer 2 tasks'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name }).waitFor()
      if (key === 'Alt+1') break
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await dialog.getByRole('button', { name: 'Approve', pressed: true }).waitFor()
    await waitForDialog(page)
    await page.keyboard.press('Control+Enter')
    await expectTasks(page, ['Three', 'Four', 'Five'])
    expect(await stack.innerText()).toMatch(/^2 tasks\n“Approve” in/)
    await page.keyboard.press('z')
    await expectTasks(page, ['One', 'Two', 'Three', 'Four', 'Five'])
    await expect.poll(() => stack.count()).toBe(0)
    expect((await records()).map(({ status }) => status)).toEqual(Array(5).fill('open'))

    await page.evaluate(() => {
      localStorage['handrail.undoSeconds'] = '0'
    })
    await selectOneAndThree(page)
    expect(await axeViolations(page)).toEqual([])

    await page
      .getByRole('region', { name: 'Selected tasks' })
      .getByRole('button', { name: 'Mark done…' })
      .click()
    await page.getByRole('dialog', { name: 'Mark 2 tasks done?' }).waitFor()
    await waitForDialog(page)
    await page.keyboard.press('Control+Enter')
    await expectTasks(page, ['Two', 'Four', 'Five'])
    const done = ['service:mark-done', {}]
    await expect.poll(answersTo).toEqual([done, undefined, done, undefined, undefined])
    const exported: string = (await acme.owner.get('/export?format=jsonl')).body
    const [first, second] = exported
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).handled.bulkId)
    expect(first).toMatch(/^[a-z0-9]{10,64}$/)
    expect(second).toBe(first)
  })

  test('one reason rejects all of them, and conflicts with answers of others are shown', async () => {
    const mara = await acme.person('member', 'Mara')
    const { page, go } = await blankTab()
    // Without events, the page learns of the other answer only when it sends its own.
    await page.route('**/inbox/events*', (route) => route.abort())
    await go(inbox())
    await expectTasks(page, ['One', 'Two', 'Three', 'Four', 'Five'])
    await page.getByRole('option').nth(1).locator('.rows-box').click()
    await page
      .getByRole('option')
      .nth(3)
      .click({ modifiers: ['Shift'] })
    await expect.poll(() => selectedIn(page)).toEqual(['Two', 'Three', 'Four'])
    await mara.post(`/tasks/${ids[2]}/handle`, { actionId: 'approve' })
    await page.getByRole('button', { name: 'Reject…' }).click()
    await waitForDialog(page)
    await page.getByRole('button', { name: /^Reject 3 tasks/ }).click()
    await page.getByText('Enter a reason, so that the agents can learn from it.').waitFor()
    await page.getByLabel('Why?').fill('Wrong workspace')
    await page.keyboard.press('Control+Enter')
    const unsent = page.getByRole('region', { name: 'Unsent answers' })
    await unsent.getByText("1 answer wasn't sent.").waitFor()
    await unsent.getByText('Not sent: Mara answered first with “Approve”').waitFor()
    const rejected = ['service:reject-request', { feedback: 'Wrong workspace' }]
    await expect.poll(answersTo).toEqual([undefined, rejected, ['approve', {}], rejected, undefined])
  })

  test('a form is filled in once for all; a task that was revised after it was selected is not answered, and is reported', async () => {
    const { page } = await visit(inbox())
    await expectTasks(page, ['One', 'Two', 'Three', 'Four', 'Five'])
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'One' }).waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Two' }).waitFor()
    await acme.agent.post(`/tasks/${ids[0]}/updates`, {
      message: 'Doubled',
      revision: { task: { name: 'One, doubled' } },
    })
    await expectTasks(page, ['One, doubled', 'Two', 'Three', 'Four', 'Five'])
    // The selection is extended over it again.
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Answer…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Answer 5 tasks' })
    await dialog.getByRole('group', { name: 'Shared actions' }).waitFor()
    await page.keyboard.press('2')
    await dialog.getByLabel('Why?').waitFor()
    await waitForDialog(page)
    await dialog.getByRole('button', { name: 'Decline: 5 tasks' }).click()
    await dialog.getByText('This field is required.').waitFor()
    await dialog.getByLabel('Why?').fill('Too late')
    // Only Ctrl+Enter and the button send.
    await dialog.getByLabel('Why?').press('Enter')
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Decline: 5 tasks' }).click()
    const unsent = page.getByRole('region', { name: 'Unsent answers' })
    await unsent.getByText('Not sent: the agent changed the task. Look at what changed first.').waitFor()
    const declined = ['decline', { reason: 'Too late' }]
    await expect.poll(answersTo).toEqual([undefined, declined, declined, declined, declined])
  })
})
