import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { createContext, type PooledContext, resetContext, startVisit } from './browser-contexts.ts'
import { launchChromium, launchFullChromium } from './chromium.ts'
import type { PageProblems } from './page-problems.ts'

export type Visit = {
  page: Page
  /** Opens a path below the service's URL. */
  go(path: string): Promise<void>
  /**
   * Opens a path in the same tab as the person with this cookie. Another visit would cost more: the
   * first page of a new context is slow.
   */
  goAs(cookie: string, path: string): Promise<void>
  /** Problems so far in all pages of this visit. */
  problems(): Promise<PageProblems>
}

export type Visitor = {
  /** The `cookie` header of a signed-in session. */
  cookie?: string
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /**
   * How long answers can be undone. Off by default, because a test would wait for each answer.
   * Tests that undo use ten minutes, which people cannot choose, because a slow machine may take
   * longer than ten seconds.
   */
  undoSeconds?: number
}

export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>

/**
 * A browser for a test file. Each visit starts with empty storage and no cookies. `isFull`: with
 * what the shell lacks.
 */
export async function startBrowser({ isFull = false } = {}) {
  const browser = await (isFull ? launchFullChromium() : launchChromium())
  const contexts: PooledContext[] = []
  async function closeContexts() {
    await Promise.all(contexts.splice(0).map(({ context }) => context.close()))
  }
  return {
    async visit(url: string, visitor: Visitor = {}): Promise<Visit> {
      const isPhone = (visitor.width ?? 1280) < 768
      let context = contexts.find(({ visit, hasTouch }) => !visit && hasTouch === isPhone)
      if (!context) {
        context = await createContext(browser, isPhone)
        contexts.push(context)
      }
      return await openVisit(context, url, visitor)
    },
    /** `reuse`: a failed test may leave keys pressed, so its contexts are closed. */
    async endVisits({ reuse }: { reuse: boolean }) {
      if (!reuse) return await closeContexts()
      const reset = await Promise.all(contexts.splice(0).map(resetContext))
      contexts.push(...reset.filter((context) => context !== undefined))
    },
    async close() {
      await closeContexts()
      if (isFull) await browser.close()
    },
  }
}

async function openVisit(pooled: PooledContext, url: string, visitor: Visitor): Promise<Visit> {
  const { cookie = '', width = 1280, height = 800, theme = 'light', undoSeconds = 0 } = visitor
  const { context, page } = pooled
  await startVisit(pooled, url, undoSeconds)
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  await context.addCookies(parseCookies(cookie, url))
  return {
    page,
    async go(path) {
      await page.goto(`${url}${path}`)
    },
    async goAs(other, path) {
      // A page may send a last request when it is left.
      await page.goto(`${url}/health`)
      await context.clearCookies()
      await context.addCookies(parseCookies(other, url))
      await page.goto(`${url}${path}`)
    },
    async problems() {
      // Violations are dispatched in their own task, so all of them have arrived one task later.
      await Promise.all(
        context.pages().map((open) => open.evaluate(() => new Promise((done) => setTimeout(done)))),
      )
      return pooled.watch.problems()
    },
  }
}

function parseCookies(cookie: string, url: string) {
  return cookie
    .split('; ')
    .filter((pair) => pair !== '')
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      domain: new URL(url).hostname,
      path: '/',
      httpOnly: true,
    }))
}

// Minified, because a page compiles it again after every navigation.
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The accessibility violations that axe-core finds. It is injected through the debugger because the
 * page's content security policy stays on: switching it off for the check would hide violations of
 * the policy.
 */
export async function axeViolations(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  // A colour in the middle of a transition would be measured wrongly.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
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
  if (await evaluate('typeof axe === "undefined"')) await evaluate(`${axeSource}; undefined`)
  // Describing the passed checks would take longer than running them, so they are only counted.
  // Reading the style sheets, which no rule that runs needs, would take a fifth of the time.
  const all: axe.RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] }, ...options }
  const run = `axe.run(document, ${JSON.stringify(all)})
    .then(({ violations, passes }) => JSON.stringify({ violations, passed: passes.length }))`
  const results: { violations: axe.Result[]; passed: number } = JSON.parse(await evaluate(run))
  await debug.detach()
  if (results.passed < (options.runOnly ? 1 : 10)) throw new Error(`axe ran too few checks on ${page.url()}`)
  return results.violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  )
}

/** Elements whose content overflows sideways, except those that scroll on purpose or end in an ellipsis. */
export async function overflowingElements(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((box) => {
        const { overflowX, textOverflow } = getComputedStyle(box)
        const isAllowed =
          textOverflow === 'ellipsis' ||
          box.matches('pre, [aria-label=Table], .chart-table-scroll-box, input, textarea, select, .sr-only')
        const clips = overflowX !== 'visible' || box === document.documentElement
        return clips && !isAllowed && box.scrollWidth > box.clientWidth + 1
      })
      .map((box) => `${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth}`),
  )
}
