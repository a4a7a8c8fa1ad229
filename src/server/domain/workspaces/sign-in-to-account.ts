import { invalidRequest, rateLimited, unauthenticated } from '../problems.ts'
import type { Service } from '../service.ts'
import type { Device, SecondFactor } from './person.ts'
import { logAttempt, recordFailedSignIn } from './sign-in-trail.ts'

/**
 * How long better-auth locks the second step of an account after ten wrong codes in a row, across
 * all nodes.
 */
export const lockedSeconds = 900

/**
 * Signs in to an existing account with its password and its second factor. Throws and records the
 * attempt if they are wrong or missing.
 */
export async function signInToAccount(
  service: Service,
  person: { id: string; email: string },
  credentials: { password: string; code?: string | undefined },
  device: Device,
  wrongPasswordMessage: string,
): Promise<{ cookies: string[]; secondFactor?: SecondFactor }> {
  const result = await service.people.signIn(person, credentials, device)
  if (result.outcome === 'signed in') return result
  if (result.outcome === 'second factor required') {
    logAttempt(service, 'sign-in', { from: device.from, account: person.id, outcome: result.outcome })
    throw invalidRequest([
      {
        path: 'code',
        message:
          'Your account uses two-factor authentication. Enter a code from your authenticator app, or a recovery code.',
      },
    ])
  }
  recordFailedSignIn(service, async () => person.id, device.from, result.outcome)
  switch (result.outcome) {
    case 'wrong password':
      throw unauthenticated(wrongPasswordMessage)
    case 'wrong code':
      throw invalidRequest([
        { path: 'code', message: 'This code is invalid or was already used. Enter the next one.' },
      ])
    case 'too many wrong codes':
      throw rateLimited(`Too many wrong codes. Try again in ${lockedSeconds / 60} minutes.`, lockedSeconds)
  }
}
