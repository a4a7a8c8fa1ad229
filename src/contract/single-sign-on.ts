import { z } from 'zod'
import { CurrentPassword } from './confirmation.ts'
import { optional } from './field.ts'

// Lengths in UTF-16 code units. The sender is not signed in yet, so what they send must be small.
const maxQuery = 8_000
const maxLinkToken = 4_000

export const SingleSignOnStarted = z.object({
  redirectTo: z.string().meta({ description: 'The page of the identity provider to open.' }),
})
export type SingleSignOnStarted = z.infer<typeof SingleSignOnStarted>

export const CompleteSingleSignOn = z.strictObject({
  query: z.string().max(maxQuery).meta({
    description: 'The query string with which the identity provider sent the person back.',
  }),
})
export type CompleteSingleSignOn = z.infer<typeof CompleteSingleSignOn>

/** `confirm`: an account with this address exists, so its password is needed once. */
export const SingleSignOnResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed-in') }),
  z.object({
    kind: z.literal('confirm'),
    email: z.string(),
    linkToken: z.string().meta({ description: 'For confirmSingleSignOn. Valid for ten minutes.' }),
    resetsAccount: z.boolean().meta({
      description:
        'The address was not verified before. Confirming ends all other sessions, disconnects apps, unlinks the Slack user, stops push messages, and removes the password and two-factor authentication.',
    }),
  }),
])
export type SingleSignOnResult = z.infer<typeof SingleSignOnResult>

export const ConfirmSingleSignOn = z.strictObject({
  linkToken: z.string().min(1).max(maxLinkToken),
  password: CurrentPassword,
  code: optional(z.string().max(40)).meta({
    description:
      'For an account with two-factor authentication: a code of the authenticator app or a recovery code.',
  }),
})
export type ConfirmSingleSignOn = z.infer<typeof ConfirmSingleSignOn>

export const UseSignInLink = z.strictObject({ token: z.string().min(1).max(200) })
export type UseSignInLink = z.infer<typeof UseSignInLink>
