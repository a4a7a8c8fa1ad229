import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startBrowser, type TestBrowser, type Visit, type Visitor } from './browser.ts'
import { startService, type TestService, type TestWorkspace } from './service.ts'
import { noTroubles } from './troubles.ts'

type Options = {
  environment?: Record<string, string>
  workspaceName?: string
  /** For tests that count what is in the inbox. */
  freshWorkspace?: boolean
  /** For tests that fill the database, or watch the scripts of a page come for the first time. */
  ownService?: boolean
}

// Files of a worker share its process (isolate is off), and so a service with a browser on it: a page that was seen at the
// same address before takes Chromium a fifth of the work. Both end with the process.
let sharedService: Promise<TestService> | undefined
let sharedBrowser: Promise<TestBrowser> | undefined

/** Whoever has not signed in. */
export const nobody: Visitor = { cookie: '' }

/**
 * A service with a workspace of its own, and a browser on it, for the tests of a file. After each test no visit of it may
 * have had troubles. `service` and `acme` are filled by a beforeAll of this function: what uses them must run later than that.
 */
export function visitedService({ environment, workspaceName, freshWorkspace, ownService }: Options = {}) {
  const isShared = !environment && !ownService
  const service = {} as TestService
  const acme = {} as TestWorkspace
  let browser: TestBrowser
  const watched = new Set<Visit>()

  beforeAll(async () => {
    if (isShared) {
      sharedService ??= startService()
      sharedBrowser ??= startBrowser()
    }
    Object.assign(service, await (isShared ? sharedService : startService(environment)))
    browser = await (isShared ? sharedBrowser! : startBrowser())
  })
  const beforeTests = freshWorkspace ? beforeEach : beforeAll
  beforeTests(async () => {
    Object.assign(acme, await service.workspace(workspaceName))
  })
  afterEach(async () => {
    const troubles = await Promise.all([...watched].map((visit) => visit.troubles()))
    watched.clear()
    await browser.endVisits()
    expect(troubles).toEqual(troubles.map(() => noTroubles))
  })
  afterAll(async () => {
    if (isShared) return
    await browser.close()
    await service.stop()
  })

  /** A visit of the owner, or of another, that has opened nothing yet. */
  async function emptyTab(visitor: Visitor = {}): Promise<Visit> {
    const visit = await browser.visit(service.url, { cookie: acme.owner.cookie, ...visitor })
    watched.add(visit)
    return visit
  }

  return {
    service,
    acme,
    emptyTab,
    async visit(path: string, visitor?: Visitor): Promise<Visit> {
      const visit = await emptyTab(visitor)
      await visit.go(path)
      return visit
    },
    /** Where troubles are what a test wants to see. */
    forgive(visit: Visit) {
      watched.delete(visit)
    },
  }
}
