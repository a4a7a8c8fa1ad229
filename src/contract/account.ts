import { z } from 'zod'
import { Email } from './field.ts'
import { limits } from './limits.ts'
import { Password, PersonName } from './workspace.ts'

/** A password that is compared, not chosen: any that could ever have been one. */
const GivenPassword = z.string().max(limits.passwordMax)

export const SignIn = z.object({ email: Email, password: GivenPassword })
export type SignIn = z.infer<typeof SignIn>
/** With two-factor a password alone signs nobody in: the code is still to come. */
export type SignedIn = { twoFactorRedirect?: true }

export const ChangePassword = z.object({ currentPassword: GivenPassword, newPassword: Password })
export type ChangePassword = z.infer<typeof ChangePassword>
export const WithPassword = z.object({ password: GivenPassword })

/** Six digits of an authenticator. People type blanks where it shows them. */
export const AuthenticatorCode = z.object({
  code: z
    .string()
    .max(20)
    .overwrite((text) => text.replace(/\s/g, ''))
    .regex(/^\d{6}$/, 'The code has six digits.'),
})

/** As it is kept, however it was typed: lower case, o for 0 and l for 1 forgiven, the line in the middle. */
export const RecoveryCode = z.object({
  code: z
    .string()
    .max(40)
    .overwrite((text) =>
      text
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '')
        .replace(/o/g, '0')
        .replace(/[il]/g, '1')
        .replace(/^(.{5})(.{5})$/, '$1-$2'),
    )
    .regex(/^[0-9a-z]{5}-[0-9a-z]{5}$/, 'A recovery code has ten characters.'),
})

export const EndSession = z.object({ token: z.string().min(1).max(200) })

export const ChangeMe = z.strictObject({ name: PersonName })
export type ChangeMe = z.infer<typeof ChangeMe>

/** Where somebody is signed in. The token names the session and opens nothing: the cookie is signed. */
export type AccountSession = {
  token: string
  ipAddress?: string | null
  userAgent?: string | null
  createdAt: string
  updatedAt: string
}

export type TwoFactorBegun = { totpURI: string; backupCodes: string[] }

export const RequestPasswordReset = z.strictObject({ email: Email })
export type RequestPasswordReset = z.infer<typeof RequestPasswordReset>
export const ResetPassword = z.strictObject({ token: z.string().min(1).max(200), password: Password })
export type ResetPassword = z.infer<typeof ResetPassword>
