import type { SessionMembership } from '../../storage/people/people.ts'

export type SecondFactor = 'authenticator' | 'recovery code'

export type Person = {
  id: string
  email: string
  emailVerified: boolean
  name: string
  hasTwoFactor: boolean
}
/** The person of a sign-in session. `renewedCookies` is non-empty if the session was extended. */
export type SignedInPerson = Person & {
  workspaces: SessionMembership[]
  /** How the identity provider authenticated them. null: they signed in without single sign-on. */
  amr: string[] | null
  signedInAt: Date
  renewedCookies: string[]
}

export type SignInResult =
  | { outcome: 'signed in'; cookies: string[]; secondFactor?: SecondFactor }
  | { outcome: 'wrong password' | 'second factor required' | 'wrong code' | 'too many wrong codes' }

/** Where a sign-in comes from: shown in the list of sessions and in the email about a new browser. */
export type Device = { from: string; userAgent: string }

/** As better-auth reads a person. */
type PersonRow = {
  id: string
  email: string
  emailVerified: boolean
  name: string
  twoFactorEnabled?: boolean | null | undefined
}

export function presentPerson({ id, email, emailVerified, name, twoFactorEnabled }: PersonRow): Person {
  return { id, email, emailVerified, name, hasTwoFactor: twoFactorEnabled === true }
}
