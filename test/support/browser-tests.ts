import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startBrowser, type TestBrowser, type Visit, type Visitor } from './browser.ts'
import { noProblems } from './page-problems.ts'
import { startService, type TestService, type TestWorkspace } from './service.ts'

type Options = {
  environment?: Record<string, string>
  workspaceName?: string
  /** For tests that count the tasks in the inbox. */
  freshWorkspace?: boolean
  /** For tests that set the service up. Only with an environment. */
  withoutWorkspace?: boolean
  /** For notifications, which the headless shell always denies. Only with an environment. */
  fullBrowser?: boolean
}

// Test files of a worker share its process (isolate is off), a service and a browser: Chromium
// loads a page it has seen at the same address five times faster. Both end with the process. A
// service with another environment therefore replaces the shared one at its address.
let sharedService: Promise<TestService> | undefined
let sharedBrowser: Promise<TestBrowser> | undefined

/** A visitor without a session. */
export const signedOut: Visitor = { cookie: '' }

/**
 * A service with its own workspace and a browser for the tests of a file. After each test its
 * visits must have had no problems. `service` and `acme` are filled in a beforeAll hook and can
 * only be used after it.
 */
export function setUpBrowserTests(options: Options = {}) {
  const { environment, workspaceName, freshWorkspace, withoutWorkspace, fullBrowser = false } = options
  const service = {} as TestService
  const acme = {} as TestWorkspace
  let browser: TestBrowser
  const watched = new Set<Visit>()

  beforeAll(async () => {
    if (fullBrowser) {
      const starting = startBrowser({ isFull: true })
      Object.assign(service, await startService(environment))
      browser = await starting
      return
    }
    sharedService ??= startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    sharedBrowser ??= startBrowser()
    const shared = await sharedService
    Object.assign(service, environment ? await startService(environment, [], shared) : shared)
    browser = await sharedBrowser
  })
  const beforeTests = freshWorkspace ? beforeEach : beforeAll
  beforeTests(async () => {
    if (!withoutWorkspace) Object.assign(acme, await service.workspace(workspaceName))
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages([...watched])
    const problems = await Promise.all([...watched].map((visit) => visit.problems()))
    watched.clear()
    await browser.endVisits({ reuse: task.result?.state !== 'fail' })
    expect(problems).toEqual(problems.map(() => noProblems))
  })
  afterAll(async () => {
    if (fullBrowser) await browser.close()
    if (fullBrowser || environment) await service.stop()
  })

  /** A visit, by default of the owner, that has not opened a page yet. */
  async function blankTab(visitor: Visitor = {}): Promise<Visit> {
    const visit = await browser.visit(service.url, {
      ...visitor,
      cookie: visitor.cookie ?? acme.owner.cookie,
    })
    watched.add(visit)
    return visit
  }

  /** What the pages show, so that the reason for a failure can be read in the log. */
  async function printPages(visits: Visit[]) {
    for (const page of visits.flatMap((visit) => visit.page.context().pages())) {
      const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String)
      console.log(`${page.url()}\n${text.slice(0, 3_000)}`)
    }
  }

  return {
    service,
    acme,
    blankTab,
    async visit(path: string, visitor?: Visitor): Promise<Visit> {
      const visit = await blankTab(visitor)
      await visit.go(path)
      return visit
    },
    /** For tests that cause problems on purpose. */
    allowProblems(visit: Visit) {
      watched.delete(visit)
    },
  }
}
