import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** What a page must never do: break its own policy, fail in its scripts, ask another machine for something. */
export type Troubles = { violations: string[]; errors: string[]; foreign: string[] }

export const noTroubles: Troubles = { violations: [], errors: [], foreign: [] }

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

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Whatever a page tries: no name leads anywhere, so that no test leaves this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

const patienceMilliseconds = 10_000

export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>

// Files of a worker share its process (isolate is off), and so its Chromium: one takes a second to start. It ends with
// the process.
let chromiumOfWorker: Promise<Browser> | undefined

function launched(): Promise<Browser> {
  chromiumOfWorker ??= chromium.launch({ executablePath: findChromium(), args: flags }).then((browser) => {
    browser.once('disconnected', () => {
      chromiumOfWorker = undefined
    })
    return browser
  })
  return chromiumOfWorker
}

/** A browser for a test file. Each visit begins with nothing remembered. */
export async function startBrowser() {
  const browser = await launched()
  const endVisits = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
  return {
    visit: (url: string, visitor: Visitor = {}) => visit(browser, url, visitor),
    endVisits,
    close: endVisits,
  }
}

async function visit(browser: Browser, url: string, visitor: Visitor): Promise<Visit> {
  const { cookie = '', width = 1280, height = 800, theme = 'light', undoSeconds = 0 } = visitor
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: width < 768,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(patienceMilliseconds)
  const troubles = await collectTroubles(context, new URL(url).origin)
  await context.addInitScript((seconds) => {
    // A page without an address has no storage.
    if (location.protocol.startsWith('http')) localStorage['handrail.undoSeconds'] ??= seconds
  }, String(undoSeconds))
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
  const page = await context.newPage()
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
      return structuredClone(troubles)
    },
  }
}

async function collectTroubles(context: BrowserContext, origin: string): Promise<Troubles> {
  const troubles: Troubles = structuredClone(noTroubles)
  const isOurs = (url: string) => new URL(url).origin === origin || /^(about|data|blob):/.test(url)
  await context.exposeBinding('tellViolation', (_, told: string) => {
    troubles.violations.push(told)
  })
  await context.addInitScript(() => {
    const { tellViolation } = globalThis as unknown as { tellViolation: (text: string) => void }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      tellViolation([effectiveDirective, blockedURI, sample].join(' ').trim())
    })
  })
  context.on('request', (request) => {
    if (!isOurs(request.url())) troubles.foreign.push(request.url())
  })
  context.on('console', (message) => {
    // Chromium's own note of an answer such as 401 or 409, which the page may well expect.
    const isNote = message.text().startsWith('Failed to load resource') && isOurs(message.location().url)
    if (message.type() === 'error' && !isNote) troubles.errors.push(message.text())
  })
  context.on('weberror', (failure) => {
    troubles.errors.push(failure.error().message)
  })
  return troubles
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

/** `npm test` says where it is; a test run alone looks as that would. */
function findChromium(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = process.env.CHROMIUM_PATH || places.find(isProgram)
  if (!found) throw new Error('No Chromium on PATH. CHROMIUM_PATH may name one; npm test installs it.')
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
