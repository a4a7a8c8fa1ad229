import type { Service } from '../service.ts'
import type { Device } from './person.ts'
import { recordSignIn } from './sign-in-trail.ts'

/**
 * Signs in with a password that was just set, to an account without two-factor. Returns the session
 * cookies.
 */
export async function signInWithNewPassword(
  service: Service,
  person: { id: string; email: string },
  password: string,
  device: Device,
): Promise<string[]> {
  const result = await service.people.signIn(person, { password }, device)
  if (result.outcome !== 'signed in')
    throw new Error(`failed to sign in with a new password: ${result.outcome}`)
  await recordSignIn(service, person.id, device.from)
  return result.cookies
}
