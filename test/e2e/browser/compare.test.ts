import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sendAnswer } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

const items = [
  { name: 'Atlas', source: 'atlas-large', response: 'The header **is gone**.' },
  { name: 'Birch', source: 'birch-small', response: 'The header **is sent**.' },
]

const longItems = items.map((item) => ({ ...item, response: item.response + '\n\nx'.repeat(200) }))

function comparison(hints: object = {}, drafts = items) {
  return {
    task: { type: 'compare', name: 'Atlas or Birch?', description: 'Pick the better one.' },
    context: { data: { drafts }, ui: { drafts: { 'ui:widget': 'compare', ...hints } } },
    actions: [
      { id: 'again', title: 'Ask again' },
      {
        id: 'publish',
        title: 'Publish one',
        schema: {
          type: 'object',
          required: ['winner'],
          properties: {
            winner: {
              type: 'string',
              title: 'Which one?',
              enum: ['Atlas', 'Birch', 'tie'],
              enumNames: ['Atlas', 'Birch', 'Neither'],
            },
          },
        },
      },
    ],
  }
}

/** The options with the digits that select them. */
const withDigits = (options: Locator) =>
  options.evaluateAll((rows) => rows.map((row) => `${row.dataset.digit} ${row.textContent?.trim()}`))

describe('comparing two answers side by side', () => {
  const { acme, visit } = setUpBrowserTests()

  async function openTask(payload: object, width = 1280) {
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    const { page, go } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, { width })
    await page.getByRole('article').first().waitFor()
    // Keys work as well then.
    await waitUntilAnswerable(page)
    const handled = () => acme.agent.get(`/tasks/${taskId}`).then(({ body }) => body.handled)
    return { page, go, taskId: taskId as string, handled }
  }
  const paneNames = (page: Page) =>
    page.getByRole('article').getByRole('heading', { level: 3 }).allInnerTexts()

  const bodies = (page: Page) => page.locator('.compare-pane-body')
  const scrollFirst = (page: Page, top: number) =>
    bodies(page)
      .first()
      .evaluate((box, to) => box.scrollTo({ top: to }), top)
  const tops = (page: Page) =>
    bodies(page).evaluateAll((boxes) => boxes.map((box) => Math.round(box.scrollTop / 10) * 10))

  test('long panes scroll together unless that is off; one is picked by digit, option or click, and stays so if sides are swapped or names hidden', async () => {
    const { page, handled } = await openTask(comparison({}, longItems))
    const sync = page.getByRole('button', { name: 'Scroll together' })
    await sync.waitFor()
    await scrollFirst(page, 500)
    await expect.poll(() => tops(page)).toEqual([500, 500])
    await page.keyboard.press('y')
    await expect.poll(() => sync.getAttribute('aria-pressed')).toBe('false')
    await scrollFirst(page, 800)
    await expect.poll(() => tops(page)).toEqual([800, 500])

    const radio = (name: string) => page.getByRole('radio', { name })
    // A digit also opens the form.
    await page.keyboard.press('2')
    await page.getByRole('article', { name: 'Birch' }).getByText('Your pick').waitFor()
    await expect.poll(() => radio('Birch').isChecked()).toBe(true)
    await radio('Atlas').check()
    await page.getByRole('button', { name: 'Your pick: Atlas' }).waitFor()
    await page.getByRole('article', { name: 'Birch' }).getByText('The header').click()
    await expect.poll(() => radio('Birch').isChecked()).toBe(true)
    await radio('Neither').check()
    await page.getByText('Your pick').waitFor({ state: 'detached' })

    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'Your pick: Atlas' }).waitFor()
    await page.keyboard.press('w')
    await expect.poll(() => paneNames(page)).toEqual(['Birch', 'Atlas'])
    const labels = page.getByRole('radiogroup').locator('label')
    await expect.poll(() => withDigits(labels)).toEqual(['1 Birch', '2 Atlas', '3 Neither'])
    await expect.poll(() => radio('Atlas').isChecked()).toBe(true)
    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'Your pick: Birch' }).waitFor()

    await page.keyboard.press('b')
    await expect.poll(() => paneNames(page)).toEqual(['Item 1', 'Item 2'])
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).innerText())
      .toMatch(/^Item [12] or Item [12]\?$/)
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'Your pick: Item 2' }).waitFor()
    await page.keyboard.press('b')
    await page.getByRole('heading', { level: 1, name: 'Atlas or Birch?' }).waitFor()
    // Hiding the names shuffled the panes.
    const shuffled = await paneNames(page)
    await page.getByRole('button', { name: `Your pick: ${shuffled[1]}` }).waitFor()

    await page.keyboard.press('w')
    const names = shuffled.toReversed()
    await expect.poll(() => paneNames(page)).toEqual(names)
    await sendAnswer(page)
    await expect.poll(handled).toMatchObject({
      actionId: 'publish',
      data: { winner: names[0] },
      presented: {
        drafts: { order: names.map((name) => items.findIndex((item) => item.name === name)), blind: false },
      },
    })
  })

  test('a blind comparison shows no name before the answer, which has the original text and the presented order', async () => {
    const payload = comparison({ 'ui:options': { blind: true } })
    const hint = 'Birch is **Atlas** retold'
    const scores = { ATLAS: 3, 'birch-small': 4 }
    const [again, publish] = payload.actions
    const note = { type: 'string', title: 'Note' }
    const { page, go, taskId, handled } = await openTask({
      ...payload,
      context: { ...payload.context, data: { drafts: items, hint, scores } },
      actions: [
        again,
        {
          ...publish,
          schema: { ...publish!.schema, properties: { ...publish!.schema!.properties, note } },
          ui: { note: { 'ui:options': { prefill: 'hint' } } },
        },
      ],
    })
    await page.getByText('Names are hidden until the task ends').waitFor()
    expect(await page.getByRole('button', { name: 'Hide names' }).count()).toBe(0)
    await page.keyboard.press('b')
    await page.keyboard.press('w')
    expect(await paneNames(page)).toEqual(['Item 1', 'Item 2'])
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Birch took twice as long' })
    await page.getByRole('button', { name: /took twice as long/ }).click()
    await page.getByRole('list', { name: 'Timeline' }).getByText('took twice as long').waitFor()

    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'Your pick: Item 1' }).waitFor()
    await page.getByRole('radiogroup').waitFor()
    expect(await withDigits(page.getByRole('radiogroup').locator('label'))).toEqual([
      '1 Item 1',
      '2 Item 2',
      '3 Neither',
    ])
    // What the form starts with is sent, so the names in it stay.
    expect(await page.getByLabel('Note').inputValue()).toBe(hint)
    const [inTask, inDock] = await page.evaluate(() =>
      ['#task', '.dock-dock'].map((part) => document.querySelector(part)!.outerHTML),
    )
    expect(inTask).not.toMatch(/atlas|birch/i)
    expect(inDock!.replaceAll(hint, '')).not.toMatch(/atlas|birch/i)
    await page.getByRole('button', { name: 'View payload' }).click()
    await page.getByText('Names and order are hidden').waitFor()
    expect(await page.getByRole('dialog').innerText()).not.toMatch(/atlas|birch/i)
    await page.keyboard.press('Escape')

    const text = await page.getByRole('article').first().innerText()
    await sendAnswer(page)
    await expect.poll(handled).toBeTruthy()
    const { data, presented } = await handled()
    const picked = items[presented.drafts.order[0]]!
    expect(presented.drafts.blind).toBe(true)
    expect(data).toEqual({ winner: picked.name, note: hint })
    expect(text).toContain(picked === items[0] ? 'gone' : 'sent')
    await go(`/w/${acme.workspaceId}/inbox/${taskId}`)
    await page.getByText('Answered blind, in this order').waitFor()
    expect((await paneNames(page))[0]).toBe(picked.name)
    await page.getByRole('article', { name: picked.name }).getByText('Picked').waitFor()
  })

  test('on a phone one pane is shown at a time; the pick stays visible beside another one and after a reload', async () => {
    const { page, handled } = await openTask(comparison(), 390)
    const tabs = page.getByRole('group', { name: 'Shown item' }).getByRole('button')
    expect(await tabs.allInnerTexts()).toEqual(['Atlas', 'Birch'])
    expect(await page.getByRole('article').count()).toBe(1)
    await tabs.nth(1).click()
    await page.getByRole('article', { name: 'Birch' }).waitFor()
    await page.getByRole('button', { name: 'Pick Birch' }).click()
    // The form would cover the panes, so it is not opened.
    await page.getByRole('button', { name: 'Publish one: Birch…' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)

    const isPicked = async () => {
      await page.getByRole('complementary', { name: 'Your answer' }).getByText('Your pick: Birch').waitFor()
      await tabs.nth(1).getByLabel('Your pick').waitFor()
    }
    await tabs.nth(0).click()
    await page.getByRole('article', { name: 'Atlas' }).waitFor()
    await isPicked()
    await page.reload()
    await isPicked()
    await page.getByRole('button', { name: 'Publish one: Birch…' }).click()
    await expect.poll(() => page.getByRole('radio', { name: 'Birch' }).isChecked()).toBe(true)
    await waitUntilAnswerable(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Publish one' }).click()
    await expect
      .poll(handled)
      .toMatchObject({ data: { winner: 'Birch' }, presented: { drafts: { order: [0, 1], blind: false } } })
  })
})
