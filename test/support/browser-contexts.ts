import type { Browser, BrowserContext, Disposable, Page } from 'playwright-core'
import { type Watch, watchForProblems } from './page-problems.ts'
import { waitOptions } from './wait-options.ts'

/**
 * A browser context that is reset and reused by the visits of a test file. The first page of a new
 * context costs Chromium five times as much as a later one, because it starts a process without
 * compiled scripts.
 */
export type PooledContext = {
  context: BrowserContext
  page: Page
  /** Cannot change during the lifetime of a context. */
  hasTouch: boolean
  /** Of the service, or undefined while the context is free. */
  visit: { url: string; undoScript: Disposable } | undefined
  watch: Watch
}

export async function createContext(browser: Browser, hasTouch: boolean): Promise<PooledContext> {
  const context = await browser.newContext({
    hasTouch,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(waitOptions.timeout)
  const watch = await watchForProblems(context)
  return { context, page: await context.newPage(), hasTouch, visit: undefined, watch }
}

export async function startVisit(pooled: PooledContext, url: string, undoSeconds: number): Promise<void> {
  const undoScript = await pooled.context.addInitScript((seconds) => {
    // about:blank has no storage.
    if (location.protocol.startsWith('http')) localStorage['handrail.undoSeconds'] ??= seconds
  }, String(undoSeconds))
  pooled.visit = { url, undoScript }
  pooled.watch.start(new URL(url).origin)
}

/** Ends the visit and clears all storage. Returns undefined if the context cannot be reused. */
export async function resetContext(pooled: PooledContext): Promise<PooledContext | undefined> {
  const { context, page, visit, watch } = pooled
  if (!visit) return pooled
  const { url, undoScript } = visit
  if (page.isClosed()) {
    await context.close()
    return undefined
  }
  const others = context.pages().filter((open) => open !== page)
  await Promise.all(others.map((open) => open.close()))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await undoScript.dispose()
  await page.mouse.move(-1, -1) // so that the next page does not start with a hovered element
  // A plain text page of the same origin keeps the process and gives access to the tab's storage.
  await page.goto(`${url}/health`)
  // An installed clock would stay, also on later pages.
  if (await page.evaluate(() => '__pwClock' in globalThis)) {
    await context.close()
    return undefined
  }
  await page.evaluate(() => sessionStorage.clear())
  const debug = await context.newCDPSession(page)
  const origins = new Set([url, ...watch.problems().foreign].map((visited) => new URL(visited).origin))
  for (const origin of origins)
    await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await debug.detach()
  await context.clearCookies()
  await context.clearPermissions()
  pooled.visit = undefined
  return pooled
}
