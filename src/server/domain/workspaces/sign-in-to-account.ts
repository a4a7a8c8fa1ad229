import { invalidRequest, rateLimited, unauthenticated } from '../problems.ts'
import type { Service } from '../service.ts'
import type { Device, SecondFactor } from './person.ts'
import { recordFailedSignIn } from './sign-in-trail.ts'

/** Signs in to an existing account as usual: with its password and its second factor. Failures are recorded. */
export async function signInToAccount(
  service: Service,
  person: { id: string; email: string },
  credentials: { password: string; code?: string | undefined },
  device: Device,
  wrongPassword: string,
): Promise<{ cookies: string[]; secondFactor?: SecondFactor }> {
  const result = await service.people.signIn(person, credentials, device)
  if (result.outcome === 'signed in') return result
  if (result.outcome === 'code needed') {
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
      throw unauthenticated(wrongPassword)
    case 'wrong code':
      throw invalidRequest([
        { path: 'code', message: 'This code is invalid or was already used. Enter the next one.' },
      ])
    case 'too many wrong codes':
      throw rateLimited('Too many wrong codes. Try again in 15 minutes.', 900)
  }
}
