import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type Watch, watchOver } from './troubles.ts'

/**
 * Where a visitor sits. The next one of a test file gets the same seat, wiped: the first page of a context takes Chromium
 * five times the work of a later one, because it starts a process that has none of the scripts.
 */
export type Seat = {
  context: BrowserContext
  page: Page
  kind: string
  /** The address of the service that is visited, or undefined while nobody sits here. */
  url: string | undefined
  watch: Watch
}

type Kind = { width?: number; undoSeconds?: number }

/** What a context keeps as long as it lives. */
const kindOf = ({ width = 1280, undoSeconds = 0 }: Kind) => `${width < 768} ${undoSeconds}`

export const isFreeFor = (seat: Seat, visitor: Kind) =>
  seat.url === undefined && seat.kind === kindOf(visitor)

export async function newSeat(browser: Browser, visitor: Kind): Promise<Seat> {
  const { width = 1280, undoSeconds = 0 } = visitor
  const context = await browser.newContext({
    hasTouch: width < 768,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(10_000)
  await context.addInitScript((seconds) => {
    // A page without an address has no storage.
    if (location.protocol.startsWith('http')) localStorage['handrail.undoSeconds'] ??= seconds
  }, String(undoSeconds))
  const watch = await watchOver(context)
  return { context, page: await context.newPage(), kind: kindOf(visitor), url: undefined, watch }
}

export function occupy(seat: Seat, url: string): void {
  seat.url = url
  seat.watch.begin(new URL(url).origin)
}

/** Makes the visitor leave, with nothing remembered. Undefined: after troubles or with more windows nobody sits here again. */
export async function wipe(seat: Seat): Promise<Seat | undefined> {
  const { context, page, url, watch } = seat
  if (url === undefined) return seat
  const hadTroubles = Object.values(watch.troubles()).some((told) => told.length > 0)
  if (hadTroubles || context.pages().length > 1) {
    await context.close()
    return undefined
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.mouse.move(-1, -1) // where it rests, the next page would take it for hovering
  // A text of the same origin keeps the process, and has a hand in the storage of the tab.
  await page.goto(`${url}/health`)
  await page.evaluate(() => sessionStorage.clear())
  const debug = await context.newCDPSession(page)
  await debug.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'all' })
  await debug.detach()
  await context.clearCookies()
  await context.clearPermissions()
  seat.url = undefined
  return seat
}
