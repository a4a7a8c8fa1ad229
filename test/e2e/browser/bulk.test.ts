import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { createTasks, taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

describe('several tasks are answered at once', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })
  let ids: string[]
  beforeEach(async () => {
    ids = await createTasks(acme, ['One', 'Two', 'Three', 'Four', 'Five'])
  })

  async function open(): Promise<Page> {
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`)
    await expect.poll(() => page.getByRole('option').count()).toBe(5)
    return page
  }

  const selectedIn = (page: Page) =>
    page.locator('[role=option][aria-checked=true] .rows-name').allInnerTexts()
  /**
   * Waits until the dialog accepts an answer, which it does only after it has been in view for a
   * short time.
   */
  const waitForDialog = (page: Page) => page.locator('[role=dialog] [data-answerable]').waitFor()
  const records = async () =>
    (await Promise.all(ids.map((id) => acme.agent.get(`/tasks/${id}`)))).map(({ body }) => body)
  const bulkIds = async (): Promise<(string | undefined)[]> => {
    const { body } = await acme.owner.get('/export?format=jsonl')
    const handled = (body as string).split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
    return ids.map((id) => handled.find(({ taskId }) => taskId === id)?.handled.bulkId)
  }

  test('X, Shift+J, Ctrl+A and Esc select tasks, which are marked done after a confirmation', async () => {
    const page = await open()
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'One' }).waitFor()
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
    expect(await axeViolations(page)).toEqual([])

    await page
      .getByRole('region', { name: 'Selected tasks' })
      .getByRole('button', { name: 'Mark done…' })
      .click()
    await page.getByRole('dialog', { name: 'Mark 2 tasks done?' }).waitFor()
    await waitForDialog(page)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => taskNames(page)).toEqual(['Two', 'Four', 'Five'])
    await expect
      .poll(async () => (await records()).map(({ status, handled }) => [status, handled?.actionId]))
      .toEqual([
        ['handled', 'service:mark-done'],
        ['open', undefined],
        ['handled', 'service:mark-done'],
        ['open', undefined],
        ['open', undefined],
      ])

    for (const row of [0, 1]) await page.getByRole('option').nth(row).locator('.rows-box').click()
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Mark 2 tasks done?' }).waitFor()
    await waitForDialog(page)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => taskNames(page)).toEqual(['Five'])
    await page.getByRole('option').locator('.rows-box').click()
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Mark 1 task done?' }).waitFor()
    await waitForDialog(page)
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await records()).map(({ status }) => status))
      .toEqual(Array(5).fill('handled'))
    const [one, two, three, four, five] = await bulkIds()
    expect(one).toMatch(/^[a-z0-9]{10,64}$/)
    expect(two).toMatch(/^[a-z0-9]{10,64}$/)
    expect({ three, four, five }).toEqual({ three: one, four: two, five: undefined })
    expect(one).not.toBe(two)
  })

  test('one reason rejects all of them, and conflicts with answers of others are shown', async () => {
    const mara = await acme.person('member', 'Mara')
    const page = await open()
    // Without events, the page learns of the other answer only when it sends its own.
    await page.route('**/inbox/events*', (route) => route.abort())
    await page.reload()
    await expect.poll(() => page.getByRole('option').count()).toBe(5)
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
    await expect
      .poll(async () => (await records()).map(({ handled }) => [handled?.actionId, handled?.data.feedback]))
      .toEqual([
        [undefined, undefined],
        ['service:reject-request', 'Wrong workspace'],
        ['approve', undefined],
        ['service:reject-request', 'Wrong workspace'],
        [undefined, undefined],
      ])
  })

  test('a dialog stays open if someone else ends the last selected task, and its letters do not answer the open task', async () => {
    const mara = await acme.person('member', 'Mara')
    const page = await open()
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'One' }).waitFor()
    await page.getByRole('option').nth(1).locator('.rows-box').click()
    await page
      .getByRole('region', { name: 'Selected tasks' })
      .getByRole('button', { name: 'Reject…' })
      .click()
    await page.getByLabel('Why?').fill('Wrong')
    await mara.post(`/tasks/${ids[1]}/handle`, { actionId: 'approve' })
    await page.getByText('This task has ended, so there is nothing to answer.').waitFor()
    await page.keyboard.type(' e e')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Wrong e e')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await records()).map(({ status }) => status)).toEqual(['open', 'handled', 'open', 'open', 'open'])
  })

  describe('a task that is revised after it was selected is not answered, and is reported', () => {
    async function reviseFirst(page: Page): Promise<void> {
      await acme.agent.post(`/tasks/${ids[0]}/updates`, {
        message: 'Doubled',
        revision: { task: { name: 'One, doubled' } },
      })
      await expect.poll(() => page.locator('.rows-name').allInnerTexts()).toContain('One, doubled')
    }
    async function openDialog(page: Page, name: string): Promise<void> {
      await page.getByRole('button', { name: 'Answer…' }).click()
      await page.getByRole('dialog', { name }).getByRole('button', { name: 'Approve' }).click()
      await waitForDialog(page)
    }
    async function expectOneUnsent(page: Page, sent: boolean[]): Promise<void> {
      await page.keyboard.press('Control+Enter')
      const unsent = page.getByRole('region', { name: 'Unsent answers' })
      await unsent.getByText('Not sent: the agent changed the task. Look at what changed first.').waitFor()
      await expect
        .poll(async () => (await records()).map(({ handled }) => handled?.actionId === 'approve'))
        .toEqual(sent)
    }

    test('while the dialog is open', async () => {
      const page = await open()
      for (const row of [0, 1]) await page.getByRole('option').nth(row).locator('.rows-box').click()
      await openDialog(page, 'Answer 2 tasks')
      await reviseFirst(page)
      await expectOneUnsent(page, [false, true, false, false, false])
    })

    test('also if the selection is extended over it again', async () => {
      const page = await open()
      await page.keyboard.press('j')
      await page.getByRole('heading', { level: 1, name: 'One' }).waitFor()
      await page.keyboard.press('x')
      await page.keyboard.press('j')
      await page.getByRole('heading', { level: 1, name: 'Two' }).waitFor()
      await reviseFirst(page)
      await page.keyboard.press('Control+a')
      await openDialog(page, 'Answer 5 tasks')
      await expectOneUnsent(page, [false, true, true, true, true])
    })
  })

  test('a common action is filled in once and sent for each task; without a common action none is offered', async () => {
    const page = await open()
    for (const row of [0, 2]) await page.getByRole('option').nth(row).locator('.rows-box').click()
    await page.getByRole('button', { name: 'Answer…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Answer 2 tasks' })
    await dialog.getByRole('button', { name: 'Decline' }).click()
    await dialog.getByLabel('Why?').waitFor()
    await waitForDialog(page)
    await dialog.getByRole('button', { name: 'Decline: 2 tasks' }).click()
    await dialog.getByText('This field is required.').waitFor()
    await dialog.getByLabel('Why?').fill('Too late')
    // Only Ctrl+Enter and the button send.
    await dialog.getByLabel('Why?').press('Enter')
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Decline: 2 tasks' }).click()
    const answersTo = async (...indexes: number[]) => {
      const all = await records()
      return indexes.map((n) => [all[n].handled?.actionId, all[n].handled?.data])
    }
    const declined = ['decline', { reason: 'Too late' }]
    await expect.poll(() => answersTo(0, 2)).toEqual([declined, declined])

    await acme.agent.post('/tasks', taskPayload({ priority: 'low' }, { name: 'Other', type: 'other' }))
    await page.getByRole('button', { name: '1 new' }).click()
    await expect.poll(() => taskNames(page)).toEqual(['Two', 'Four', 'Five', 'Other'])
    for (const row of [0, 3]) await page.getByRole('option').nth(row).locator('.rows-box').click()
    await page.getByRole('button', { name: 'Answer…' }).click()
    await page.getByText('The selected tasks have no action in common').waitFor()
    expect(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /2 tasks/ })
        .count(),
    ).toBe(0)
  })

  test('with several selected, every answering key applies to all of them, and the answer can be undone as one', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`, { undoSeconds: 60 })
    await expect.poll(() => page.getByRole('option').count()).toBe(5)
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'One' }).waitFor()
    await waitUntilAnswerable(page)
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
    await waitUntilAnswerable(page)
    for (const [key, name] of [
      ['e', 'Mark 2 tasks done?'],
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
    await page.keyboard.press('2')
    await dialog.getByLabel('Why?').waitFor()
    await page.keyboard.press('Alt+1')
    await dialog.getByRole('button', { name: 'Approve', pressed: true }).waitFor()
    await waitForDialog(page)
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => taskNames(page)).toEqual(['Three', 'Four', 'Five'])
    expect(await stack.innerText()).toMatch(/^2 tasks\n“Approve” in/)
    await page.keyboard.press('z')
    await expect.poll(() => taskNames(page)).toEqual(['One', 'Two', 'Three', 'Four', 'Five'])
    await expect.poll(() => stack.count()).toBe(0)
    expect((await records()).map(({ status }) => status)).toEqual(Array(5).fill('open'))
  })
})
