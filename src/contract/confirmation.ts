import { z } from 'zod'
import { optional } from './field.ts'
import { limits } from './limits.ts'

/** An existing password. It is only compared, so a minimum length introduced later does not apply. */
export const CurrentPassword = z.string().max(limits.passwordMax)

/**
 * How a person confirms that it is them before a sensitive change. With two-factor authentication:
 * a code of their authenticator app or a recovery code. Otherwise: their password or, soon after
 * signing in with single sign-on, nothing.
 */
export const confirmation = {
  password: optional(CurrentPassword),
  code: optional(z.string().max(40)),
}
export type Confirmation = z.infer<z.ZodObject<typeof confirmation>>
