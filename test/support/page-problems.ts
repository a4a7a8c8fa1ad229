import type { BrowserContext } from 'playwright-core'

/**
 * What a page must never do: violate its content security policy, fail in a script, or request
 * another origin.
 */
export type PageProblems = { violations: string[]; errors: string[]; foreign: string[] }

export const noProblems: PageProblems = { violations: [], errors: [], foreign: [] }

export type Watch = Awaited<ReturnType<typeof watchForProblems>>

/** Records the problems of all pages of a context, per visit. */
export async function watchForProblems(context: BrowserContext) {
  let problems = structuredClone(noProblems)
  let origin = ''
  const isOurs = (url: string) => new URL(url).origin === origin || /^(about|data|blob):/.test(url)
  await context.exposeBinding('reportViolation', (_, violation: string) => {
    problems.violations.push(violation)
  })
  await context.addInitScript(() => {
    const { reportViolation } = globalThis as unknown as { reportViolation: (text: string) => void }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      reportViolation([effectiveDirective, blockedURI, sample].join(' ').trim())
    })
  })
  context.on('request', (request) => {
    if (!isOurs(request.url())) problems.foreign.push(request.url())
  })
  context.on('console', (message) => {
    // Chromium logs responses such as 401 or 409, which the page may expect.
    const isResponseLog =
      message.text().startsWith('Failed to load resource') && isOurs(message.location().url)
    if (message.type() === 'error' && !isResponseLog) problems.errors.push(message.text())
  })
  context.on('weberror', (failure) => {
    problems.errors.push(failure.error().message)
  })
  return {
    /** Starts recording for a visit to the service at this origin. */
    start(visited: string) {
      origin = visited
      problems = structuredClone(noProblems)
    },
    problems: () => structuredClone(problems),
  }
}
