import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { launchedChromium } from './chromium.ts'
import { isFreeFor, newSeat, occupy, type Seat, wipe } from './seats.ts'
import type { Troubles } from './troubles.ts'

export type Visit = {
  page: Page
  /** Opens a path beneath the address of the service. */
  go(path: string): Promise<void>
  /** All that went wrong so far, in any page of this visitor. */
  troubles(): Promise<Troubles>
}

export type Visitor = {
  /** The `cookie` of a session: whoever has it is signed in. */
  cookie?: string
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** How long answers are held back. Not at all unless a test is about that: it would wait for each of them. */
  undoSeconds?: 0 | 5 | 10
}

export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>

/** A browser for a test file. Each visit begins with nothing remembered. */
export async function startBrowser() {
  const browser = await launchedChromium()
  const seats: Seat[] = []
  return {
    async visit(url: string, visitor: Visitor = {}): Promise<Visit> {
      let seat = seats.find((one) => isFreeFor(one, visitor))
      if (!seat) {
        seat = await newSeat(browser, visitor)
        seats.push(seat)
      }
      return await sitDown(seat, url, visitor)
    },
    async endVisits() {
      const wiped = await Promise.all(seats.splice(0).map(wipe))
      seats.push(...wiped.filter((seat) => seat !== undefined))
    },
    async close() {
      await Promise.all(seats.splice(0).map(({ context }) => context.close()))
    },
  }
}

async function sitDown(seat: Seat, url: string, visitor: Visitor): Promise<Visit> {
  const { cookie = '', width = 1280, height = 800, theme = 'light' } = visitor
  const { context, page } = seat
  occupy(seat, url)
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  await context.addCookies(
    cookie
      .split('; ')
      .filter((pair) => pair !== '')
      .map((pair) => ({
        name: pair.slice(0, pair.indexOf('=')),
        value: pair.slice(pair.indexOf('=') + 1),
        domain: new URL(url).hostname,
        path: '/',
        httpOnly: true,
      })),
  )
  return {
    page,
    async go(path) {
      await page.goto(`${url}${path}`)
    },
    async troubles() {
      // Violations are told in a task of their own, so one task later all of them are here.
      await Promise.all(
        context.pages().map((open) => open.evaluate(() => new Promise((done) => setTimeout(done)))),
      )
      return seat.watch.troubles()
    },
  }
}

/**
 * What axe-core has to say against a page. It comes in through the debugger, past the page's policy, which stays on:
 * a policy that was switched off for the check would hide what it is there to stop.
 */
export async function axeFindings(page: Page, rules?: string[]): Promise<string[]> {
  // A colour that is still on its way to another is neither.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((moving) => moving.finished)))
  const debug = await page.context().newCDPSession(page)
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  if (await evaluate('typeof axe === "undefined"')) await evaluate(`${axe.source}; undefined`)
  // What passed is counted, not described: that took longer than looking.
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const run = `axe.run(document, ${JSON.stringify(options)})
    .then(({ violations, passes }) => JSON.stringify({ violations, passed: passes.length }))`
  const results: { violations: axe.Result[]; passed: number } = JSON.parse(await evaluate(run))
  await debug.detach()
  if (results.passed < (rules?.length ?? 10)) throw new Error(`axe looked at little on ${page.url()}`)
  return results.violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  )
}

/** Boxes that hold more to the side than they show. What is meant to scroll sideways, or ends in an ellipsis, may. */
export async function sidewaysBoxes(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((box) => {
        const { overflowX, textOverflow } = getComputedStyle(box)
        const mayBe =
          textOverflow === 'ellipsis' ||
          box.matches('pre, [aria-label=Table], .scroll-box, input, textarea, select, .sr-only')
        const cuts = overflowX !== 'visible' || box === document.documentElement
        return cuts && !mayBe && box.scrollWidth > box.clientWidth + 1
      })
      .map((box) => `${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth}`),
  )
}
