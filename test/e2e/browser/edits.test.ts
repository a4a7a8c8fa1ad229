import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { emailReview } from '../../../src/contract/gallery/email-review.ts'
import { sendAnswer, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

const { name } = emailReview.payload.task
const { subject, body } = emailReview.payload.context!.data.email as { subject: string; body: string }

describe('a text that the agent wrote is edited where it is shown', () => {
  const { acme, visit } = setUpBrowserTests()

  async function openTask(payload: object, taskName: string, width = 1440) {
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    const { page, go } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, { width })
    await waitForTask(page, taskName)
    const handled = () => acme.agent.get(`/tasks/${taskId}`).then(({ body: record }) => record.handled)
    return { page, go, taskId: taskId as string, handled }
  }
  const editor = (page: Page) => page.getByLabel(/^Text/)
  const changes = (page: Page) => page.getByRole('region', { name: 'Changes from the agent' })
  const timesShown = (page: Page, text: string) =>
    page.evaluate((wanted) => document.body.innerText.split(wanted).length - 1, text)

  test('by keyboard: I edits it, letters before the editor is there are dropped, and the answer contains the changes', async () => {
    const { page, go, taskId, handled } = await openTask(emailReview.payload, name)
    await expect.poll(() => timesShown(page, 'free of charge')).toBe(1)
    let load = () => {}
    const loading = new Promise<void>((resolve) => {
      load = resolve
    })
    await page.route('**/*schema-form*.js', async (route) => {
      await loading
      await route.continue()
    })
    const requested = page.waitForRequest('**/*schema-form*.js')
    await page.keyboard.press('i')
    await requested
    // As shortcuts, the last two would send the answer or mark the task as done.
    await page.keyboard.type('Dear e')
    await page.keyboard.press('Control+Enter')
    load()
    await expect.poll(() => editor(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await editor(page).inputValue()).toBe(body)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await handled()).toBeUndefined()
    // The text is in the editor, and the form shows it nowhere else.
    await expect.poll(() => timesShown(page, 'free of charge')).toBe(0)
    await page.getByText('No changes yet.').waitFor()
    await page.getByRole('button', { name: 'Send it', exact: false }).first().waitFor()

    await page.keyboard.press('Control+End')
    await page.keyboard.press('Control+Backspace')
    await page.keyboard.type('Meier, Northwind')
    await page.getByText('2 of 66 words changed · light edit').waitFor()
    await expect.poll(() => changes(page).locator('del').allInnerTexts()).toEqual(['Brandt'])
    expect(await changes(page).locator('ins').allInnerTexts()).toEqual(['Meier, Northwind'])
    await page.getByRole('button', { name: 'Send it with your edits' }).waitFor()

    // D is a letter in the editor, and a shortcut outside it.
    await page.keyboard.press('Escape')
    await page.keyboard.press('d')
    await changes(page).waitFor({ state: 'detached' })
    await page.keyboard.press('d')
    await changes(page).waitFor()

    await page.keyboard.press('Control+Shift+Enter')
    await expect.poll(handled).toBeTruthy()
    const { data, edits } = await handled()
    const after = body.replace('Brandt', 'Meier, Northwind')
    expect(data).toEqual({ subject, body: after })
    expect(edits).toMatchObject([
      { field: 'subject', source: 'email.subject', changed: false },
      { field: 'body', source: 'email.body', changed: true, before: body, after },
    ])

    await go(`/w/${acme.workspaceId}/handled/${taskId}`)
    const answer = page.getByRole('complementary', { name: 'Answer' })
    await answer.getByText('2 of 66 words changed · light edit').waitFor()
    expect(await answer.locator('ins').allInnerTexts()).toEqual(['Meier, Northwind'])
    await answer.getByText(subject).waitFor()
  })

  test('edits are kept when another action is chosen, carried to one with the same text, and reset per field', async () => {
    const send = (id: string, title: string) => ({
      id,
      title,
      schema: {
        type: 'object',
        properties: { reply: { type: 'string', title: 'Text' }, note: { type: 'string', title: 'Note' } },
      },
      ui: { reply: { 'ui:widget': 'textarea', 'ui:options': { prefill: 'draft' } } },
    })
    const payload = taskPayload(
      {
        context: { data: { draft: 'Your refund takes three days.\n\nHarbour Goods' } },
        actions: [
          send('send', 'Send'),
          send('send-close', 'Send and close'),
          { id: 'drop', title: 'Drop it' },
        ],
      },
      { name: 'Reply to Ines?' },
    )
    const { page, handled } = await openTask(payload, 'Reply to Ines?')
    await page.getByRole('button', { name: 'Edit' }).click()
    await editor(page).fill('Your refund takes five days.\n\nHarbour Goods')
    await page.getByText('1 of 7 words changed · light edit').waitFor()

    // The agent's text again, because this action does not send it.
    await page
      .getByRole('button', { name: /^Drop it/ })
      .first()
      .click()
    await page.getByText('Your refund takes three days.').waitFor()
    await page.getByRole('button', { name: /^Send and close/ }).click()
    await expect.poll(() => editor(page).inputValue()).toContain('five days')
    await page.getByRole('button', { name: 'Send and close with your edits' }).waitFor()

    await page.getByRole('button', { name: "Reset to the agent's text" }).click()
    await expect.poll(() => editor(page).inputValue()).toContain('three days')
    await page.getByRole('button', { name: 'Send and close with your edits' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Alt+1')
    await expect.poll(() => editor(page).inputValue()).toContain('five days')
    await sendAnswer(page)
    await expect.poll(handled).toMatchObject({
      actionId: 'send',
      data: { reply: 'Your refund takes five days.\n\nHarbour Goods' },
    })
  })

  test('on a phone the text is edited in the sheet of the answer, with the changes below it', async () => {
    const { page } = await openTask(emailReview.payload, name, 390)
    await page.getByRole('button', { name: /^Send it/ }).click()
    await editor(page).fill(body.replace('three dates', 'two dates'))
    await page.getByText('1 of 65 words changed · light edit').waitFor()
    await expect.poll(() => changes(page).locator('ins').allInnerTexts()).toEqual(['two'])
    await page.getByRole('button', { name: 'Send it with your edits' }).waitFor()
  })
})
