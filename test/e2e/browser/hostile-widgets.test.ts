import { describe, expect, test } from 'vitest'
import { approveTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { noProblems } from '../../support/page-problems.ts'

const html = '<img src=https://track.example/p.gif onerror=alert(1)><script>alert(1)</script>'
const reversed = 'pay \u202e001 €'
const mail = `${html}<p onclick=alert(1) style="background:url(https://track.example/b)">Dear</p><a href="javascript:alert(1)">you</a><meta http-equiv=refresh content="0;url=https://track.example/">`

function many<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}
const lines = (count: number) => many(count, (n) => `line ${n}`).join('\n')

describe('hostile content in widgets runs nothing, requests nothing, and the task can be answered', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests()

  /** Opens a task with these fields, each shown by the widget of the same name. */
  async function openTask(fields: Record<string, unknown>) {
    const { status, body } = await acme.agent.post('/tasks', {
      task: { type: 't', name: 'N', description: 'D' },
      context: {
        data: fields,
        ui: Object.fromEntries(Object.keys(fields).map((widget) => [widget, { 'ui:widget': widget }])),
      },
      actions: [{ id: 'approve', title: 'Approve' }],
    })
    expect([status, body]).toEqual([201, expect.anything()])
    const visited = await visit(`/w/${acme.workspaceId}/inbox/${body.taskId}`)
    const { page } = visited
    return { visited, page, taskId: body.taskId, shown: page.getByRole('region', { name: 'Task' }) }
  }

  test('HTML, scripts, URLs and bidirectional control characters; a picture loads only on request, without a referrer', async () => {
    const { visited, page, taskId, shown } = await openTask({
      email: { from: reversed, subject: html, html: mail },
      link: 'javascript:alert(1)',
      image: ['https://track.example/p.gif', { url: 'https://track.example/p2.gif', alt: html }],
      chat: [
        { role: html.slice(0, 50), content: `![p](https://track.example/q.gif) ${reversed}`, extra: html },
      ],
      table: [{ [html]: html, formula: '=cmd()' }],
      json: { [html]: { [html]: [html] } },
      diff: { before: html, after: reversed },
      compare: [{ name: html, source: reversed, response: html }, { name: reversed }],
      hidden: { note: 'nobody may hide this' },
    })
    const frame = shown.locator('iframe')
    await frame.contentFrame().getByText('Dear').click()
    expect(await frame.getAttribute('sandbox')).toBe('')
    const inside = frame.contentFrame().locator('img, script, [style], [onclick], a[href], form')
    expect(await inside.count()).toBe(0)
    await shown.getByRole('article').getByText('pay RLO001 €').first().waitFor()
    await shown.getByRole('button', { name: 'Load image from track.example' }).nth(2).waitFor()
    expect(await page.locator('img, #root script').count()).toBe(0)
    const addresses = await shown
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses.filter((address) => !address?.startsWith('https://track.example/'))).toEqual([])
    await shown.getByRole('button', { name: 'Show field hidden by the agent (1 field)' }).click()
    await shown.getByText('nobody may hide this').waitFor()

    expect(await visited.problems()).toEqual(noProblems)
    const request = page.waitForRequest('https://track.example/p.gif')
    await shown.getByRole('button', { name: 'Load image from track.example' }).first().click()
    expect((await request).headers().referer ?? '').toBe('')
    await shown.getByText("couldn't be loaded").waitFor()
    await approveTask(page, acme, taskId)
    // The request for the picture is expected.
    const { violations, foreign } = await visited.problems()
    expect([violations, foreign]).toEqual([[], ['https://track.example/p.gif']])
    allowProblems(visited)
  })

  test.each([
    [
      '10,000 rows, 3,000 messages and 8,000 names',
      {
        table: many(10_000, (n) => ({ sku: `A-${n}`, n })),
        chat: many(3_000, (n) => ({ role: 'user', content: `m${n}` })),
        json: Object.fromEntries(many(8_000, (n) => [`k${n}`, n])),
      },
      ['Rows 1 to 50 of 10,000', 'of 3,000 messages', 'Show 500 more of 8,000 elements'],
    ],
    [
      'long texts that have nothing in common, changes, code and mails',
      {
        compare: ['a ', 'b '].map((word) => ({ response: word.repeat(40_000) })),
        diff: { before: lines(12_000), after: '' },
        code: lines(8_000),
        email: { html: `<p>${lines(8_000)}` },
      },
      [
        "Differences can't be highlighted",
        'There are too many differences to compare',
        'Show all 8,000 lines',
      ],
    ],
  ])('%s', async (_, fields, signs) => {
    const { page, taskId, shown } = await openTask(fields)
    for (const sign of signs) await shown.getByText(sign).first().waitFor()
    await approveTask(page, acme, taskId)
  })
})
