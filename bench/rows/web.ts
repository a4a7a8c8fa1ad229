import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { openPage, withBrowser } from '../frame/browser.ts'
import { longestFrame } from '../frame/frames.ts'
import { type Result, type Row, spread } from '../frame/row.ts'
import { runUntilConclusive } from '../frame/run-until-conclusive.ts'
import { type BenchService, withDatabase, withService } from '../frame/service.ts'
import { task } from '../frame/task.ts'
import { type BenchWorkspace, setUpWorkspace } from '../frame/workspace.ts'
import { fillOpen } from '../large-data/fill-open.ts'

const openTasks = 100_000
const keys = 60
const scrollSteps = 60

export const web: Row = {
  name: 'web',
  about:
    'scripts of the pages in KB after gzip; the longest frame by key and by scroll over 100,000 open tasks',
  run: (context) =>
    withBrowser((browser) =>
      withService(async (service) => {
        const workspace = await setUpWorkspace(service)
        context.showProgress('measuring the page sizes')
        const weights = await weigh(await openPage(browser, service, workspace), service, workspace)
        context.showProgress(`creating ${openTasks.toLocaleString('en')} open tasks`)
        await withDatabase(service, (url) => fillOpen(url, workspace.workspaceId, openTasks))
        const bounds = context.quick ? { min: 2, max: 5 } : { min: 5, max: 11 }
        const round = async () =>
          await useInbox(await openPage(browser, service, workspace), service, workspace)
        const frames = await runUntilConclusive(context, bounds, round, (rounds) => [
          atMost(
            'longest frame by key',
            'ms',
            50,
            rounds.map(({ byKey }) => byKey),
          ),
          atMost(
            'longest frame by scroll',
            'ms',
            50,
            rounds.map(({ byScroll }) => byScroll),
          ),
        ])
        return [...weights, ...frames]
      }),
    ),
}

function atMost(what: string, unit: string, value: number, rounds: number[]): Result {
  return { what, unit, product: spread(rounds), targets: [{ of: 'product', is: 'at most', value }] }
}

/** Opens several pages one after the other; each script counts for the page that loads it first. */
async function weigh(
  page: Page,
  { url }: BenchService,
  { workspaceId, agent }: BenchWorkspace,
): Promise<Result[]> {
  const withCode = { data: { text: '```ts\nconst a = 1\n```' }, ui: { text: { 'ui:widget': 'markdown' } } }
  await fetch(`${url}/api/v1/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...agent },
    body: JSON.stringify({ ...task, context: withCode }),
  })
  // The web app preloads nothing for a browser that saves data, so each script counts for the page
  // that needs it.
  const debug = await page.context().newCDPSession(page)
  await debug.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true })
  let loaded: string[] = []
  // By request: the response to the script of a worker may arrive after the next page is measured.
  page.context().on('request', (request) => {
    const name = /\/assets\/([^/]+\.js)$/.exec(request.url())?.[1]
    // It belongs to the start pane and loads before or after the list appears, so it would count
    // for either page.
    if (name && !name.startsWith('today-figures')) loaded.push(name)
  })
  const line = (what: string, kilobytes: number): Result => {
    const bytes = loaded.map((name) => gzipSync(readFileSync(`dist/web/assets/${name}`)).length)
    loaded = []
    return atMost(what, 'KB', kilobytes, [bytes.reduce((sum, one) => sum + one, 0) / 1000])
  }
  await page.goto(`${url}/w/${workspaceId}/inbox`)
  await page.getByRole('option').waitFor()
  const first = line('first load, scripts', 150)
  await page.getByRole('option').click()
  await page.locator('.hljs-keyword').waitFor()
  const markdown = line('markdown with code', 75)
  const worker = page.waitForEvent('worker')
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('textbox').first().waitFor()
  await worker
  const forms = line('a form', 102)
  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('heading', { name: 'Median time to answer' }).waitFor()
  const statistics = line('statistics', 146)
  await page.context().close()
  return [first, markdown, forms, statistics]
}

async function useInbox(
  page: Page,
  { url }: BenchService,
  { workspaceId }: BenchWorkspace,
): Promise<{ byKey: number; byScroll: number }> {
  await page.goto(`${url}/w/${workspaceId}/inbox`)
  await page.getByRole('option').first().waitFor()
  const byScroll = await longestFrame(page, async () => {
    await page.getByRole('listbox').hover()
    for (let step = 0; step < scrollSteps; step++) {
      await page.mouse.wheel(0, 1_200)
      await sleep(30)
    }
  })
  const byKey = await longestFrame(page, async () => {
    for (let press = 0; press < keys; press++) {
      await page.keyboard.press('j')
      await sleep(30)
    }
    await page.getByRole('heading', { level: 1, name: /^Task / }).waitFor()
  })
  await page.context().close()
  return { byKey, byScroll }
}
