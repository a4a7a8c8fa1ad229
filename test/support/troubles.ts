import type { BrowserContext } from 'playwright-core'

/** What a page must never do: break its own policy, fail in its scripts, ask another machine for something. */
export type Troubles = { violations: string[]; errors: string[]; foreign: string[] }

export const noTroubles: Troubles = { violations: [], errors: [], foreign: [] }

export type Watch = Awaited<ReturnType<typeof watchOver>>

/** Writes down the troubles of all pages of a context, anew for each visit. */
export async function watchOver(context: BrowserContext) {
  let troubles = structuredClone(noTroubles)
  let origin = ''
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
  return {
    /** Of a visit to the service at this origin. */
    begin(visited: string) {
      origin = visited
      troubles = structuredClone(noTroubles)
    },
    troubles: () => structuredClone(troubles),
  }
}
