import { z } from 'zod'
import { CurrentPassword, confirmation } from './confirmation.ts'
import { Email } from './field.ts'
import { Password, PersonName } from './workspace.ts'

export const SignIn = z.object({ email: Email, password: CurrentPassword })
export type SignIn = z.infer<typeof SignIn>
/** `twoFactorRedirect`: the password was correct, and a two-factor code is still required. */
export type SignedIn = { twoFactorRedirect?: true }

export const ChangePassword = z.object({ currentPassword: CurrentPassword, newPassword: Password })
export type ChangePassword = z.infer<typeof ChangePassword>
export const ConfirmPassword = z.object({ password: CurrentPassword })
export const ConfirmPasswordAndCode = ConfirmPassword.extend({ code: confirmation.code })

/** A code of an authenticator app. People often type it with the spaces that the app shows. */
export const AuthenticatorCode = z.object({
  code: z
    .string()
    .max(20)
    .overwrite((text) => text.replace(/\s/g, ''))
    .regex(/^\d{6}$/, 'Must be a code of six digits.'),
})

/** Normalized to the stored format: lower case, o read as 0, i and l as 1, a hyphen in the middle. */
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
    .regex(/^[0-9a-z]{5}-[0-9a-z]{5}$/, 'Must be a recovery code of ten characters.'),
})

export const EndSession = z.object({ token: z.string().min(1).max(200) })

export const ChangeMe = z.strictObject({ name: PersonName })
export type ChangeMe = z.infer<typeof ChangeMe>

/** A session of the account. The token identifies it but grants no access: the cookie is signed. */
export type AccountSession = {
  token: string
  ipAddress?: string | null
  userAgent?: string | null
  createdAt: string
  updatedAt: string
}

export type TwoFactorEnrollment = { totpURI: string; backupCodes: string[] }

export const RequestPasswordReset = z.strictObject({ email: Email })
export type RequestPasswordReset = z.infer<typeof RequestPasswordReset>
export const ResetPassword = z.strictObject({ token: z.string().min(1).max(200), password: Password })
export type ResetPassword = z.infer<typeof ResetPassword>
