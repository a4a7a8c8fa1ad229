import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Visitor } from '../../support/browser.ts'
import { createTask, taskNames, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

const dock = (page: Page) => page.getByRole('complementary', { name: 'Your answer' })
const strip = (page: Page) => page.getByLabel('New from the agent')
const rowMark = (page: Page, name: string) =>
  page.getByRole('option', { name: new RegExp(name) }).locator('.rows-sub')

describe('asking the agent instead of answering', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests({ freshWorkspace: true })

  const askable = (more: Record<string, unknown> = {}) => ({
    acceptsQuestions: true,
    context: { data: { refund: 178, mail: 'Dear Ines, both charges go back to your card.' } },
    ...more,
  })

  async function openTask(more: Record<string, unknown> = askable(), visitor?: Visitor) {
    const taskId = await createTask(acme, 'Reply to Ines', more)
    const opened = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, visitor)
    await waitForTask(opened.page, 'Reply to Ines')
    return { ...opened, taskId, task: async () => (await acme.agent.get(`/tasks/${taskId}`)).body }
  }

  async function ask(page: Page, text: string) {
    await page.keyboard.press('q')
    await page.keyboard.type(text)
    await page.keyboard.press('Control+Enter')
  }

  test('by keyboard alone: ask, read the reply with its revision, and answer the revision', async () => {
    const taskId = await createTask(acme, 'Reply to Ines', askable({ priority: 'high' }))
    await createTask(acme, 'Next')
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`, { undoSeconds: 0 })
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('j')
    await waitForTask(page, 'Reply to Ines')
    // Each letter is also a shortcut of the page.
    await page.keyboard.press('q')
    await page.keyboard.type('reject, zero or done?')
    const composer = dock(page)
    await composer.getByText('moves to “Waiting for the agent”').waitFor()
    await composer.getByText('within 24 hours, the task returns').waitFor()
    // Closing it keeps the text; the other key keeps it too.
    await page.keyboard.press('Escape')
    await composer.getByRole('textbox').waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    expect(await composer.getByLabel('What should the agent change?').inputValue()).toBe(
      'reject, zero or done?',
    )
    await page.keyboard.press('Escape')
    await page.keyboard.press('q')
    await page.keyboard.press('Control+Enter')

    await waitForTask(page, 'Next')
    await page.getByText('Question sent: Reply to Ines').waitFor()
    expect(await taskNames(page)).toEqual(['Reply to Ines', 'Next'])
    await expect
      .poll(() => rowMark(page, 'Reply to Ines').textContent())
      .toBe('You asked: reject, zero or done?')
    await page.getByRole('link', { name: 'Inbox 1 open' }).waitFor()
    const { questions } = (await acme.agent.get(`/tasks/${taskId}`)).body
    expect(questions).toMatchObject([{ kind: 'question', text: 'reject, zero or done?' }])

    await acme.agent.post(`/tasks/${taskId}/updates`, {
      message: 'Only one charge was settled. I corrected the amount.',
      answers: questions[0].questionId,
      revision: {
        context: { data: { refund: 89, mail: 'Dear Ines, one charge goes back to your card.' } },
      },
    })
    await expect
      .poll(() => rowMark(page, 'Reply to Ines').textContent())
      .toBe('Agent replied · Only one charge was settled. I corrected the amount.')
    await page.getByRole('link', { name: 'Inbox 2 open' }).waitFor()
    await page.keyboard.press('k')
    await waitForTask(page, 'Reply to Ines')
    await strip(page).getByText('The agent replied and changed 2 things').waitFor()
    // The context shows what changed where it is, until it is read. D shows the text as it is now.
    const fieldOf = (name: string) => page.locator(`[data-field=${name}]`)
    await expect.poll(() => fieldOf('refund').locator('del, ins').allInnerTexts()).toEqual(['178', '89'])
    await expect
      .poll(() => fieldOf('mail').locator('del, ins').allInnerTexts())
      .toEqual(['both charges go', 'one charge goes'])
    await page.keyboard.press('d')
    await fieldOf('mail').getByText('Dear Ines, one charge goes back to your card.').waitFor()
    await expect.poll(() => page.locator('[data-field] del').count()).toBe(0)
    await page.keyboard.press('d')
    await fieldOf('mail').locator('del').waitFor()
    await page.keyboard.press('t')
    const messages = page.getByRole('list', { name: 'Conversation' }).locator('> li')
    await expect.poll(() => messages.count()).toBe(2)
    expect(await messages.nth(0).innerText()).toMatch(/You\s+asked the agent[\s\S]+reject, zero or done\?/)
    const revision = messages.nth(1)
    expect(await revision.innerText()).toContain('revision 2')
    await expect.poll(() => revision.locator('del').allInnerTexts()).toEqual(['178', 'both charges go'])
    expect(await revision.locator('ins').allInnerTexts()).toEqual(['89', 'one charge goes'])
    await strip(page).getByRole('button', { name: 'Mark as read' }).press('Enter')
    await strip(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('[data-field] :is(del, ins)').count()).toBe(0)
    await page.keyboard.press('Alt+1')
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await acme.agent.get(`/tasks/${taskId}`)).body.handled)
      .toMatchObject({ actionId: 'approve', revision: 2 })
  })

  test('tasks that wait for the agent are listed last and not counted; their questions are offered for others', async () => {
    const waiting = await createTask(acme, 'Discount', askable({ priority: 'urgent' }))
    const send = {
      id: 'send',
      title: 'Send',
      schema: { type: 'object', properties: { mail: { type: 'string', title: 'Mail' } } },
      ui: { mail: { 'ui:options': { prefill: 'mail' } } },
    }
    const actions = [send, { id: 'decline', title: 'Decline' }]
    await createTask(acme, 'Refund', askable({ priority: 'low', actions }))
    await acme.owner.post(`/tasks/${waiting}/questions`, { kind: 'question', text: 'Which contract?' })
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`)
    await expect.poll(() => taskNames(page)).toEqual(['Refund', 'Discount'])
    await page.getByText('Waiting for the agent').waitFor()
    await expect.poll(() => rowMark(page, 'Discount').textContent()).toBe('You asked: Which contract?')
    await page.getByRole('link', { name: 'Inbox 1 open' }).waitFor()
    const { questions } = (await acme.agent.get(`/tasks/${waiting}`)).body
    await acme.agent.post(`/tasks/${waiting}/updates`, {
      message: 'The new one',
      answers: questions[0].questionId,
    })
    await page.getByRole('button', { name: '1 new, 1 urgent' }).click()
    await expect.poll(() => taskNames(page)).toEqual(['Discount', 'Refund'])

    await page.getByRole('option', { name: /Refund/ }).click()
    await waitForTask(page, 'Refund')
    await page.keyboard.press('q')
    const field = dock(page).getByLabel('What do you need to know?')
    await field.fill('Please:')
    await dock(page).getByRole('button', { name: 'Which contract?' }).click()
    await expect.poll(() => field.inputValue()).toBe('Please: Which contract?')
    await dock(page).getByRole('button', { name: 'How sure are you?' }).waitFor()

    // A form closes the question, whether it is opened from a text of the context or the palette.
    await page.getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel('Mail').waitFor()
    await expect.poll(() => field.count()).toBe(0)
    await dock(page).getByRole('button', { name: 'Ask the agent' }).click()
    expect(await field.inputValue()).toBe('Please: Which contract?')
    await page.keyboard.press('Control+k')
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /^Decline/ })
      .click()
    await dock(page)
      .getByRole('button', { name: /^Decline/, pressed: true })
      .waitFor()
    await expect.poll(() => field.count()).toBe(0)
  })

  test('a question whose response is lost is asked once, hides no reply, and the next press answers nothing; a late response leaves the focus', async () => {
    await createTask(acme, 'Next')
    const visited = await openTask()
    const { page, taskId, task } = visited
    allowProblems(visited)
    const requests: string[] = []
    let loseResponse = () => {}
    let respond = () => {}
    const isPressedAgain = new Promise<void>((resolve) => {
      loseResponse = resolve
    })
    const isElsewhere = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route('**/questions', async (route) => {
      requests.push(route.request().postDataJSON().idempotencyKey)
      // The service has the question, but the response is lost.
      if (requests.length === 1) {
        await route.fetch()
        await isPressedAgain
        await route.abort()
      } else if (requests.length === 2) await route.continue()
      else {
        await isElsewhere
        await route.continue()
      }
    })
    await page.keyboard.press('Alt+1')
    await dock(page)
      .getByRole('button', { name: /^Approve/, pressed: true })
      .waitFor()
    await ask(page, 'Which card?')
    await page.keyboard.press('Control+Enter')
    loseResponse()
    await page.getByText("Your message to the agent wasn't sent.").waitFor()
    const field = dock(page).getByLabel('What do you need to know?')
    expect(await field.inputValue()).toBe('Which card?')
    // The agent replies before the person sends the question again.
    const [{ questionId }] = (await task()).questions
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Visa.', answers: questionId })
    const mark = rowMark(page, 'Reply to Ines')
    await expect.poll(() => mark.textContent()).toBe('Agent replied · Visa.')
    await field.press('Control+Enter')
    await field.waitFor({ state: 'detached' })
    expect(await mark.textContent()).toBe('Agent replied · Visa.')
    expect(requests.length).toBe(2)
    expect(new Set(requests).size).toBe(1)

    // The task stays open, but the action that was chosen before is not sent instead.
    await waitUntilAnswerable(page)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Choose an action first.').waitFor()
    expect(await task()).toMatchObject({ status: 'open', questions: [{ text: 'Which card?' }] })

    // The response to the next question arrives in another task.
    await ask(page, 'Which bank?')
    await page.getByRole('option', { name: /Next/ }).click()
    await waitForTask(page, 'Next')
    await page.keyboard.press('Alt+2')
    const reason = page.getByLabel('Why?')
    await expect.poll(() => reason.evaluate((element) => element === document.activeElement)).toBe(true)
    respond()
    await expect.poll(() => mark.textContent()).toBe('You asked: Which bank?')
    await page.keyboard.type('done')
    expect(await reason.inputValue()).toBe('done')
    expect((await task()).questions).toHaveLength(2)
  })

  test('an agent that does not take questions is not offered any, and the dock says so until the task has ended', async () => {
    const { page, taskId } = await openTask({}, { width: 1440 })
    const reason = dock(page).getByText("This agent doesn't take questions. Reject with a reason instead.")
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await reason.waitFor()
      await expect
        .poll(() => page.getByRole('button', { name: /Ask the agent|Request changes/ }).count())
        .toBe(0)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await page.keyboard.press('q')
    await dock(page).getByRole('status').getByText("This agent doesn't take questions.").waitFor()

    // Choosing an action removes the status, but not the reason.
    await page.keyboard.press('Alt+1')
    await dock(page).getByRole('status').getByText("This agent doesn't").waitFor({ state: 'detached' })
    await reason.waitFor()
    await acme.agent.post(`/tasks/${taskId}/cancel`)
    await page.locator('#task').getByText('This task was cancelled.').waitFor()
    await reason.waitFor({ state: 'detached' })
  })
})
