import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

const assets = fileURLToPath(new URL('../../../dist/web/assets/', import.meta.url))
const kilobyte = 1_000

// Bytes after gzip, compressed as the service does.
const budgets = {
  // One script: React, router, queries, the shell, the list and the start pane. Its figures of
  // today load with their data.
  inbox: 150 * kilobyte,
  // Includes the task pane, which loads with the first task, with its dock, editing in place,
  // questions and notes.
  markdown: 85 * kilobyte,
  form: 102 * kilobyte,
  // Includes the library of menus and dialogs, which the inbox does not load at first.
  statistics: 146 * kilobyte,
}

describe('pages are small, and large scripts load only when needed', () => {
  const { acme, blankTab } = setUpBrowserTests()

  test('scripts of the inbox, of markdown with code, of a form and of statistics stay within their budgets', async () => {
    const context = {
      data: { text: '# Code\n\n```ts\nconst a = 1\n```' },
      ui: { text: { 'ui:widget': 'markdown' } },
    }
    await acme.agent.post('/tasks', taskPayload({ context }))
    const { page, go } = await blankTab()
    // Without preloading, so that each script counts for the page that needs it.
    const debug = await page.context().newCDPSession(page)
    await debug.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
    const loaded: string[] = []
    const count = (request: Request) => {
      const name = /\/assets\/([^/]+\.js)$/.exec(request.url())?.[1]
      if (name) loaded.push(name)
    }
    page.context().on('request', count)
    /** The size of the scripts requested since the last call, or up to the first script named `until`. */
    const weigh = (until?: string) => {
      const end = loaded.findIndex((name) => until !== undefined && name.startsWith(until))
      const weighed = loaded.splice(0, end === -1 ? loaded.length : end)
      return weighed.reduce(
        (sum, name) => sum + gzipSync(readFileSync(`${assets}${name}`), { level: 9 }).length,
        0,
      )
    }

    await go(`/w/${acme.workspaceId}/inbox`)
    await page.getByRole('option').waitFor()
    const inbox = weigh('today-figures')
    await page.getByRole('option').click()
    await page.locator('.hljs-keyword').waitFor()
    const markdown = weigh()
    const worker = page.waitForEvent('worker')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByLabel('Why?').waitFor()
    await worker
    const form = weigh()
    await page.getByRole('link', { name: 'Statistics' }).click()
    await page.getByRole('heading', { name: 'Median time to answer' }).waitFor()
    const statistics = weigh()
    page.context().off('request', count)
    await debug.detach()

    for (const [part, weight] of Object.entries({ inbox, markdown, form, statistics })) {
      expect(weight, part).toBeGreaterThan(20 * kilobyte)
      expect(weight, part).toBeLessThanOrEqual(budgets[part as keyof typeof budgets])
    }
  })
})
