import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startBrowser, type TestBrowser, type Visit, type Visitor } from './browser.ts'
import { startService, type TestService, type TestWorkspace } from './service.ts'
import { noTroubles } from './troubles.ts'

type Options = {
  environment?: Record<string, string>
  workspaceName?: string
  /** For tests that count what is in the inbox. */
  freshWorkspace?: boolean
}

/** Whoever has not signed in. */
export const nobody: Visitor = { cookie: '' }

/**
 * A service with a workspace, and a browser on it, for the tests of a file. After each test no visit of it may have had
 * troubles. `service` and `acme` are filled by a beforeAll of this function: what uses them must run later than that.
 */
export function visitedService({ environment, workspaceName, freshWorkspace = false }: Options = {}) {
  const service = {} as TestService
  const acme = {} as TestWorkspace
  let browser: TestBrowser
  const watched = new Set<Visit>()

  beforeAll(async () => {
    Object.assign(service, await startService(environment))
    browser = await startBrowser()
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
