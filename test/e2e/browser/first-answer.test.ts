import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

const twoDrafts = {
  task: {
    type: 'compare-drafts',
    name: 'Choose the release notes',
    description: 'Pick the one to publish on Thursday.',
  },
  app: 'notes',
  context: {
    data: {
      release: { version: '4.12.0', mergedChanges: 23, breaking: true },
      lines: [
        { sku: 'A-1', amount: 620 },
        { sku: 'A-2', amount: 80 },
      ],
      drafts: [
        { name: 'atlas', response: '# Signed\n\n**Breaking.** Callbacks are `signed`.\n\n- One\n- Two' },
        { name: 'birch', response: '```ts\nconst hook = new Webhook()\n```' },
      ],
    },
    ui: { drafts: { 'ui:title': 'Two drafts', 'ui:widget': 'compare' } },
  },
  actions: [
    {
      id: 'publish',
      title: 'Publish a draft',
      schema: {
        type: 'object',
        required: ['winner', 'reason'],
        properties: {
          winner: {
            type: 'string',
            title: 'Which one?',
            enum: ['a', 'b'],
            enumNames: ['The first draft', 'The second draft'],
          },
          reason: { type: 'string', title: 'Why?' },
        },
      },
      ui: {
        winner: { 'ui:widget': 'radio' },
        reason: { 'ui:widget': 'textarea', 'ui:placeholder': 'A sentence is enough' },
      },
    },
    { id: 'again', title: 'Ask again' },
  ],
}

describe('a task is answered in the open inbox', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  /** Waits like an agent, again after each timeout. */
  async function waitForAnswer(taskId: string) {
    for (;;) {
      const { body } = await acme.agent.get(`/tasks/${taskId}?waitSeconds=50`)
      if (body.status !== 'open') return body
    }
  }

  test('a task appears live, shows what was sent, and its answer reaches the waiting agent', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/inbox`)
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    const { taskId } = (await acme.agent.post('/tasks', twoDrafts)).body
    const waiting = waitForAnswer(taskId)
    await page.getByRole('option', { name: /Choose the release notes/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Choose the release notes' }).waitFor()

    const shown = page.getByRole('region', { name: 'Task' })
    await shown.getByText('Merged changes').waitFor()
    expect(await shown.locator('dl').innerText()).toMatch(
      /Version\s+4\.12\.0\s+Merged changes\s+23\s+Breaking\s+Yes/,
    )
    const rows = async () =>
      (await shown.getByRole('row').allInnerTexts()).map((row) => row.split(/\s+/).join(' '))
    await expect.poll(rows).toEqual(['Sku Amount', 'A-1 620', 'A-2 80'])
    await shown.getByRole('heading', { level: 2, name: 'Two drafts' }).waitFor()
    const panes = shown.getByRole('article')
    await panes.nth(0).getByText('Callbacks are').waitFor()
    expect(await panes.nth(0).getByRole('listitem').allInnerTexts()).toEqual(['One', 'Two'])
    expect(await panes.nth(0).locator('strong').innerText()).toBe('Breaking.')
    expect(await panes.nth(1).getByRole('group', { name: 'Code, ts' }).innerText()).toBe(
      'const hook = new Webhook()',
    )
    await shown.getByText("That's everything the agent sent.").waitFor()

    const answer = page.getByRole('complementary', { name: 'Your answer' })
    await answer.getByRole('button', { name: 'Publish a draft' }).click()
    await answer.getByLabel('Why?').fill('It says what breaks.')
    const send = answer.getByRole('button', { name: 'Publish a draft' }).last()
    await send.click()
    const radio = answer.getByRole('radio', { name: 'The second draft' })
    await expect.poll(() => radio.getAttribute('aria-invalid')).toBe('true')
    await answer.getByText('This field is required.').waitFor()
    await radio.check()
    await send.click()

    expect(await waiting).toMatchObject({
      status: 'handled',
      handled: {
        actionId: 'publish',
        actionTitle: 'Publish a draft',
        data: { winner: 'b', reason: 'It says what breaks.' },
        handledBy: acme.ownerEmail,
      },
    })
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    // Cut off on three sides, an outline of the focused inbox would be a line at the navigation.
    const focused = page.locator('#inbox:focus')
    expect(await focused.evaluate((inbox) => getComputedStyle(inbox).outlineStyle)).toBe('none')
  })
})
