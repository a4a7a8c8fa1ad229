import { describe, expect, test } from 'vitest'
import { approveTask, sendAnswer } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

const html = '<img src=https://track.example/p.gif onerror=alert(1)><script>alert(1)</script>'
const reversed = 'pay \u202e001 €'
const approve = { id: 'approve', title: 'Approve' }

describe('hostile content from an agent is shown as text, and the page stays usable', () => {
  const { acme, visit } = setUpBrowserTests()

  type Sent = { name?: string; description?: string; context?: object; actions?: object[] }

  /** Sends a task and opens it. Text, because an object literal would lose `__proto__`. */
  async function openTask(
    { name = 'N', description = 'D', actions = [approve], ...more }: Sent,
    data = '{}',
  ) {
    const task = { task: { type: 't', name, description }, actions, ...more }
    const text = JSON.stringify(task).replace('"DATA"', data)
    const { status, body } = await acme.agent.send('POST', '/tasks', text)
    expect([status, body]).toEqual([201, expect.anything()])
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${body.taskId}`)
    await page.getByText("That's everything the agent sent.").waitFor()
    return {
      page,
      taskId: body.taskId as string,
      shown: page.getByRole('region', { name: 'Task' }),
    }
  }

  test('HTML, scripts, bidirectional control characters, links of markdown, prototype names and unknown widgets', async () => {
    const data = {
      [html]: html,
      table: [{ [html]: html }],
      deep: { a: { b: [html, reversed] } },
      links: `${html}\n\n[run](javascript:alert(1)) [data](data:text/html,x) ![pixel](https://track.example/p.gif)`,
      constructor: 'c',
      text: 'as it is',
      list: [1, 'two', null],
      big: { a: { b: { c: [] } } },
    }
    const { page, taskId, shown } = await openTask(
      {
        name: `${html} ${reversed}`,
        description: `${html} ${reversed}`,
        context: {
          data: 'DATA',
          ui: {
            [html]: { 'ui:title': html, 'ui:description': html },
            links: { 'ui:widget': 'markdown' },
            text: { 'ui:widget': 'compare' },
            list: { 'ui:widget': 'gauge', items: 'nonsense' },
            big: { 'ui:widget': 'markdown' },
            absent: { 'ui:title': 7 },
            constructor: 'x',
          },
        },
        actions: [approve, { id: html.slice(0, 60), title: html, description: html }],
      },
      `{"__proto__":{"polluted":true},${JSON.stringify(data).slice(1)}`,
    )
    await shown.getByRole('heading', { level: 1 }).filter({ hasText: html }).waitFor()
    expect(await shown.getByRole('heading', { level: 1 }).innerText()).toContain('pay RLO001 €')
    expect(await shown.getByText(html).count()).toBeGreaterThan(4)
    await shown.locator('[data-field=links]').getByText('run').click()
    const addresses = await shown
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(new Set(addresses)).toEqual(new Set(['https://track.example/p.gif']))
    expect(
      await shown.getByRole('link', { name: 'Open image at track.example' }).getAttribute('rel'),
    ).toContain('noreferrer')
    await shown.getByText('__proto__').waitFor()
    await shown.getByText('as it is', { exact: true }).waitFor()
    await shown.getByText('There is no widget named “gauge”').waitFor()
    await shown.getByText("The widget “markdown” can't show this value").waitFor()
    expect(await page.evaluate(() => 'polluted' in {})).toBe(false)

    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: html }).click()
    await page.getByRole('button', { name: 'View payload' }).click()
    await page.getByRole('dialog').getByText('alert(1)').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('img, #root script, iframe').count()).toBe(0)
    await approveTask(page, acme, taskId)
  })

  test('markdown of 50,000 quotes, a list of 300 levels and a table of 60,000 cells', async () => {
    const widget = { 'ui:widget': 'markdown' }
    const data = {
      quotes: '>'.repeat(50_000),
      list: Array.from({ length: 300 }, (_, n) => `${'  '.repeat(n)}- level ${n}`).join('\n'),
      table: `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(30_000)}`,
    }
    const { page, taskId, shown } = await openTask({
      context: { data, ui: { quotes: widget, list: widget, table: widget } },
    })
    for (const begin of ['>'.repeat(100), 'level 1', '|a|b|']) await shown.getByText(begin).first().waitFor()
    await approveTask(page, acme, taskId)
  })

  test('thousands of fields and of items to compare', async () => {
    const fields = Object.fromEntries(Array.from({ length: 9_999 }, (_, n) => [`field-${n}`, n]))
    const items = Array.from({ length: 4_000 }, (_, n) => ({ name: `item ${n}`, response: '**x**' }))
    const { page, taskId, shown } = await openTask({
      context: { data: { items, ...fields }, ui: { items: { 'ui:widget': 'compare' } } },
    })
    await shown.getByRole('button', { name: 'Show 1,000 more of 10,000 fields' }).click()
    await shown.getByText('Field 1000', { exact: true }).waitFor()
    await shown.getByRole('button', { name: 'Show 100 more of 4,000 items' }).waitFor()
    await approveTask(page, acme, taskId)
  })

  test('a form with HTML as names, unknown templates, and a pattern with catastrophic backtracking', async () => {
    const { page, taskId } = await openTask({
      actions: [
        {
          id: 'approve',
          title: 'Approve',
          schema: {
            type: 'object',
            required: ['slow'],
            properties: {
              slow: { type: 'string', title: 'Slow', pattern: '^(a+)+$' },
              [html]: { type: 'string', description: html, default: html },
              choice: { type: 'string', enum: [html, 'b'], enumNames: [html, reversed] },
            },
          },
          ui: {
            'ui:FieldTemplate': 'iframe',
            'ui:field': 'script',
            slow: { 'ui:widget': 'iframe', 'ui:FieldTemplate': 'iframe' },
            [html]: { 'ui:widget': 'textarea', 'ui:placeholder': html, 'ui:help': html },
            choice: { 'ui:widget': 'radio' },
          },
        },
      ],
    })
    const slow = page.getByLabel('Slow')
    await slow.fill(`${'a'.repeat(60)}!`)
    expect(await page.getByRole('radio').count()).toBe(2)
    await page.getByText('pay RLO001 €').waitFor()
    await sendAnswer(page)
    // The page cannot evaluate the pattern; the service can and rejects the answer. If that takes
    // long, the page has already shown the next task and offers to open this one again.
    const unsent = page.getByRole('region', { name: 'Unsent answers' })
    const openAgain = unsent.getByRole('button', { name: /^Open: / })
    await expect
      .poll(
        async () => {
          if (await openAgain.isVisible()) await openAgain.click()
          // Without waiting for a field that is about to be replaced by the next task.
          return await slow.evaluateAll((fields) => fields.map((field) => field.ariaInvalid))
        },
        { timeout: 60_000 },
      )
      .toEqual(['true'])
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
    expect(await page.locator('iframe, img').count()).toBe(0)
    await slow.fill('aaa')
    await sendAnswer(page)
    await expect
      .poll(async () => (await acme.agent.get(`/tasks/${taskId}`)).body.handled?.data)
      .toEqual({ slow: 'aaa', [html]: html })
  })
})
