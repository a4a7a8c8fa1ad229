import { DomainProblem } from '../problems.ts'
import type { SignedInPerson } from './person.ts'

// Authentication methods of RFC 8176 that prove possession of something.
const possessions = ['otp', 'hwk', 'swk', 'sc', 'sms', 'tel']

/**
 * Whether the session counts as protected by a second factor: after single sign-on if the identity
 * provider says that it asked for one, else (also after an operator's link) if the account has one.
 */
export function hasSecondFactor({
  amr,
  hasTwoFactor,
}: Pick<SignedInPerson, 'amr' | 'hasTwoFactor'>): boolean {
  if (amr === null) return hasTwoFactor
  return amr.includes('mfa') || (amr.includes('pwd') && possessions.some((method) => amr.includes(method)))
}

/** Whether this workspace requires a second factor that the session does not have. */
export function needsTwoFactor(
  person: Pick<SignedInPerson, 'amr' | 'hasTwoFactor' | 'workspaces'>,
  workspaceId: string,
): boolean {
  const membership = person.workspaces.find((candidate) => candidate.workspaceId === workspaceId)
  return membership?.requiresTwoFactor === true && !hasSecondFactor(person)
}

export function twoFactorRequired(): DomainProblem {
  return new DomainProblem(
    'two_factor_required',
    'This workspace requires two-factor authentication. Set it up in Settings, Your account, or sign in again with single sign-on and a second factor.',
  )
}
