import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Visitor } from '../../support/browser.ts'
import { createTask, pressAtOnce, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

const dock = (page: Page) => page.getByRole('complementary', { name: 'Your answer' })
const strip = (page: Page) => page.getByLabel('New from the agent')

describe('a revision that arrives while a person answers', () => {
  const { acme, visit, blankTab } = setUpBrowserTests({ freshWorkspace: true })

  const askable = (more: Record<string, unknown> = {}) => ({
    acceptsQuestions: true,
    context: { data: { refund: 178, mail: 'Dear Ines, both charges go back to your card.' } },
    ...more,
  })

  async function openTask(more: Record<string, unknown> = askable(), visitor?: Visitor) {
    const taskId = await createTask(acme, 'Reply to Ines', more)
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, visitor)
    await waitForTask(page, 'Reply to Ines')
    return { page, taskId, task: async () => (await acme.agent.get(`/tasks/${taskId}`)).body }
  }

  test('an answer to an older revision is not recorded: the draft is kept and sent again deliberately', async () => {
    const taskId = await createTask(acme, 'Reply to Ines', askable())
    const { page, go } = await blankTab({ undoSeconds: 0 })
    // The page learns of the revision only from the refused answer.
    const withoutStream = await page.addInitScript(() => {
      globalThis.EventSource = class extends EventTarget {
        static CLOSED = 2
        readyState = 0
        close() {}
      } as unknown as typeof EventSource
    })
    await go(`/w/${acme.workspaceId}/inbox/${taskId}`)
    await withoutStream.dispose()
    await waitForTask(page, 'Reply to Ines')
    await page.keyboard.press('Alt+2')
    await page.getByLabel('Why?').waitFor()
    await page.keyboard.type('Wrong amount')
    await acme.agent.post(`/tasks/${taskId}/updates`, {
      message: 'Corrected',
      revision: { task: { name: 'Reply to Ines Duarte' }, context: { data: { refund: 89 } } },
    })
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByText('The agent changed the task in the meantime.').waitFor()
    await strip(page).getByText('The agent changed 3 things').waitFor()
    await waitForTask(page, 'Reply to Ines Duarte')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Wrong amount')
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
    await page.keyboard.press('Control+Shift+Enter')
    await expect
      .poll(async () => (await acme.agent.get(`/tasks/${taskId}`)).body.handled)
      .toMatchObject({ data: { reason: 'Wrong amount' }, revision: 2 })
  })

  describe('is not answered before they have seen it', () => {
    const changed = 'The agent changed the task in the meantime.'
    let refund = 89
    const revise = (taskId: string) =>
      acme.agent.post(`/tasks/${taskId}/updates`, {
        message: 'Corrected',
        revision: { context: { data: { refund: refund-- } } },
      })

    test('in a form that opened by itself, in one that an undo restored, and in the reject dialog', async () => {
      const decline = {
        id: 'decline',
        title: 'Decline',
        schema: { type: 'object', properties: { reason: { type: 'string', title: 'Why?' } } },
      }
      const { page, taskId, task } = await openTask(askable({ actions: [decline] }), { undoSeconds: 600 })
      const undo = page.getByText('Decline” in')
      await page.getByLabel('Why?').fill('Wrong amount')
      await revise(taskId)
      await strip(page).waitFor()
      await waitUntilAnswerable(page)
      await page.keyboard.press('Control+Enter')
      await dock(page).getByText(changed).waitFor()
      expect(await undo.count()).toBe(0)

      await page.keyboard.press('Control+Enter')
      await undo.waitFor()
      await page.keyboard.press('z')
      await waitForTask(page, 'Reply to Ines')
      expect(await page.getByLabel('Why?').inputValue()).toBe('Wrong amount')
      expect(await dock(page).getByText(changed).count()).toBe(0)
      await revise(taskId)
      await page
        .locator('[data-field=refund]')
        .getByText(String(refund + 1))
        .waitFor()
      await waitUntilAnswerable(page)
      await page.keyboard.press('Control+Enter')
      await dock(page).getByText(changed).waitFor()
      expect(await undo.count()).toBe(0)
      expect(await task()).toMatchObject({ status: 'open', revision: 3 })

      // The dialog covers the next revision until it is closed, however often the person tries.
      await dock(page).getByRole('button', { name: 'Reject…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Reject task' })
      await dialog.getByLabel('Why?').fill('Too late')
      // The form was not sent; the task was not rejected yet.
      expect(await dialog.getByText(changed).count()).toBe(0)
      await revise(taskId)
      await expect.poll(() => page.locator('[data-answerable]').count()).toBe(0)
      for (const _ of [1, 2]) {
        await page.keyboard.press('Control+Enter')
        await dialog.getByText(changed).waitFor()
      }
      expect(await page.getByRole('button', { name: 'Send now' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await waitUntilAnswerable(page)
      expect(await dock(page).getByText(changed).count()).toBe(0)
      await page.keyboard.press('r')
      expect(await dialog.getByLabel('Why?').inputValue()).toBe('Too late')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: 'Send now' }).click()
      await expect
        .poll(async () => (await task()).handled)
        .toMatchObject({ data: { feedback: 'Too late' }, revision: 4 })
    })

    test('in the sheet of a phone and in a question, which asks for changes once it was seen', async () => {
      const { page, taskId, task } = await openTask(askable(), { width: 390, undoSeconds: 0 })
      await waitUntilAnswerable(page)
      await page.getByRole('button', { name: 'Decline' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Why?').fill('Wrong amount')
      await revise(taskId)
      await expect.poll(() => page.locator('[data-answerable]').count()).toBe(0)
      for (const _ of [1, 2]) {
        await sheet.getByRole('button', { name: /^Decline/ }).click()
        await sheet.getByText(changed).waitFor()
      }
      await sheet.getByRole('button', { name: 'Close' }).click()
      await waitUntilAnswerable(page)
      await page.getByRole('button', { name: 'Ask the agent' }).click()
      await sheet.getByLabel('What do you need to know?').fill('Which card?')
      await revise(taskId)
      await expect.poll(() => page.locator('[data-answerable]').count()).toBe(0)
      await sheet.getByRole('button', { name: 'Ask the agent' }).click()
      await sheet.getByText(changed).waitFor()
      expect(await task()).toMatchObject({ status: 'open', revision: 3 })
      expect((await task()).questions ?? []).toEqual([])
      await sheet.getByRole('button', { name: 'Close' }).click()
      await waitUntilAnswerable(page)

      await page.getByRole('button', { name: 'Request changes' }).click()
      const changes = page.getByRole('dialog', { name: 'Request changes' })
      await changes.getByLabel('What should the agent change?').fill('One charge only')
      await changes.getByRole('button', { name: 'Request changes' }).click()
      await expect.poll(async () => (await task()).questions).toMatchObject([{ kind: 'changes' }])
      const row = page.getByRole('option', { name: /Reply to Ines/ })
      await expect.poll(() => row.locator('.rows-sub').textContent()).toBe('You asked: One charge only')
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

      await row.click()
      await waitForTask(page, 'Reply to Ines')
      await page.getByRole('button', { name: 'Decline' }).click()
      expect(await sheet.getByLabel('Why?').inputValue()).toBe('Wrong amount')
      await sheet.getByRole('button', { name: /^Decline/ }).click()
      await expect
        .poll(async () => (await task()).handled)
        .toMatchObject({ data: { reason: 'Wrong amount' }, revision: 3 })
    })
  })

  test('a form keeps its fields, edits, focus and cursor, except for what the revision changes', async () => {
    const pay = (limit: number) => ({
      id: 'pay',
      title: 'Pay',
      schema: {
        type: 'object',
        properties: {
          note: { type: 'string', title: 'Note' },
          limit: { type: 'number', title: 'Limit', maximum: limit },
          amount: { type: 'number', title: 'Amount' },
          mail: { type: 'string', title: 'Mail' },
        },
      },
      ui: {
        amount: { 'ui:options': { prefill: 'refund' } },
        mail: { 'ui:options': { prefill: 'mail' } },
      },
    })
    const { page, taskId, task } = await openTask(askable({ actions: [pay(178)] }), { undoSeconds: 0 })
    expect(await page.getByLabel('Amount').inputValue()).toBe('178')
    await page.getByLabel('Limit').fill('120')
    await page.getByLabel('Note').focus()
    await page.keyboard.type('Ines')
    await page.keyboard.press('Home')
    await acme.agent.post(`/tasks/${taskId}/updates`, {
      message: 'Lower limit',
      revision: { actions: [pay(89)] },
    })
    await strip(page).getByText('The agent changed 1 thing').waitFor()
    await expect.poll(() => page.getByLabel('Limit').inputValue()).toBe('')
    await page.keyboard.type('For ')
    expect(await page.getByLabel('Note').inputValue()).toBe('For Ines')

    // The same applies to a text that is edited in the context.
    const editor = page.locator('[data-field=mail]').getByLabel('Mail')
    await page.keyboard.press('Escape')
    await page.keyboard.press('i')
    await expect.poll(() => editor.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type(' Bye')
    await acme.agent.post(`/tasks/${taskId}/updates`, {
      message: 'One charge only',
      revision: { context: { data: { refund: 89, mail: 'Dear Ines, one charge goes back.' } } },
    })
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('89')
    await page.keyboard.type(' Joe')
    const mail = 'Dear Ines, both charges go back to your card. Bye Joe'
    expect(await editor.inputValue()).toBe(mail)

    // Texts that the person left as they were are sent as revised.
    await waitUntilAnswerable(page)
    await page.keyboard.press('Control+Enter')
    await dock(page).getByText('The agent changed the task in the meantime.').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await task()).handled)
      .toMatchObject({ data: { note: 'For Ines', amount: 89, mail }, revision: 3 })
  })

  test('letters typed into a field that a revision removes do nothing, nor does a key pressed as one appears', async () => {
    const approve = { id: 'approve', title: 'Approve' }
    const form = (name: string) => ({
      id: 'pay',
      title: 'Pay',
      schema: { type: 'object', properties: { [name]: { type: 'string', title: name } } },
    })
    await createTask(acme, 'Next')
    const { page, taskId, task } = await openTask(askable({ actions: [form('Note'), approve] }), {
      undoSeconds: 600,
    })
    const revise = async (actions: object[]) => {
      await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Changed', revision: { actions } })
    }
    /** Each letter is also a shortcut: mark done, reject, ask, next task and others. */
    async function expectNothingHappens() {
      await waitUntilAnswerable(page)
      await pressAtOnce(page, ...'erecqj.1 e/'.split(''))
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Reply to Ines')
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(await dock(page).getByText('only just appeared').count()).toBe(0)
      expect(await page.getByText('Mark done” in').count()).toBe(0)
      expect(await dock(page).getByLabel(/What/).count()).toBe(0)
      expect(await task()).toMatchObject({ status: 'open' })
    }

    await page.keyboard.press('Alt+1')
    await page.getByLabel('Note').waitFor()
    await page.keyboard.type('For Ine')
    await revise([form('Reason'), approve])
    await page.getByLabel('Reason').waitFor()
    await expectNothingHappens()
    // A press that is not text ends this.
    await page.getByLabel('Reason').click()
    await page.keyboard.type('Please')
    expect(await page.getByLabel('Reason').inputValue()).toBe('Please')

    await revise([approve])
    await page.getByLabel('Reason').waitFor({ state: 'detached' })
    await expectNothingHappens()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await waitUntilAnswerable(page)
    await page.evaluate(() => {
      const title = document.querySelector('h1') as HTMLElement
      const observer = new MutationObserver(() => {
        observer.disconnect()
        title.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', code: 'KeyE', bubbles: true }))
      })
      observer.observe(title, { childList: true, characterData: true, subtree: true })
    })
    await acme.agent.post(`/tasks/${taskId}/updates`, {
      message: 'Renamed',
      revision: { task: { name: 'Reply to Ines Duarte' } },
    })
    await page.getByText('The task had only just appeared or changed, so nothing was sent.').waitFor()
    expect(await page.getByText('Mark done” in').count()).toBe(0)
    expect((await task()).status).toBe('open')
  })
})
