import type { z } from 'zod'
import { open, seal } from '../../lib/sealed-text.ts'
import type { Service } from '../service.ts'

/** How long a person has for each step of a sign-in. */
export const signInSeconds = 600

/** `attempt` is for the cookie of a started sign-in, `link` for a token that links an account. */
type Purpose = 'attempt' | 'link'

/**
 * Returns text that only this service can create and read, and that it accepts only for this
 * purpose.
 */
export function sealValue({ secrets }: Service, purpose: Purpose, value: { expiresAt: number }): string {
  return seal(JSON.stringify(value), secrets.authSecret, `single sign-on ${purpose}`)
}

export function openValue<T extends { expiresAt: number }>(
  { secrets }: Service,
  purpose: Purpose,
  shape: z.ZodType<T>,
  sealed: string | undefined,
): T | undefined {
  if (sealed === undefined) return undefined
  try {
    const value = shape.parse(JSON.parse(open(sealed, secrets.authSecret, `single sign-on ${purpose}`)))
    return value.expiresAt > Date.now() ? value : undefined
  } catch {
    return undefined
  }
}
