import type { SessionMembership } from '../../storage/people/people.ts'

export type SecondFactor = 'authenticator' | 'recovery code'

export type Person = {
  id: string
  email: string
  emailVerified: boolean
  name: string
  hasTwoFactor: boolean
}
/** `renewedCookies` is non-empty if the session was extended. */
export type SignedInPerson = Person & {
  workspaces: SessionMembership[]
  /** How the identity provider authenticated them. null: they signed in without single sign-on. */
  amr: string[] | null
  signedInAt: Date
  renewedCookies: string[]
}

export type SignInResult =
  | { outcome: 'signed in'; cookies: string[]; secondFactor?: SecondFactor }
  | { outcome: 'wrong password' | 'code needed' | 'wrong code' | 'too many wrong codes' }

/** Describes a session in the person's list of sessions. */
export type Device = { from: string; userAgent: string }

type User = {
  id: string
  email: string
  emailVerified: boolean
  name: string
  twoFactorEnabled?: boolean | null | undefined
}

export function presentPerson({ id, email, emailVerified, name, twoFactorEnabled }: User): Person {
  return { id, email, emailVerified, name, hasTwoFactor: twoFactorEnabled === true }
}
