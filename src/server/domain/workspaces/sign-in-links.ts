import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../../lib/sha256.ts'
import { consumeSignInLink, insertSignInLink } from '../../storage/people/identities.ts'
import { forbidden } from '../problems.ts'
import type { Service } from '../service.ts'
import { auditPerson } from './audit-person.ts'
import { requirePerson } from './operator.ts'
import type { Device } from './person.ts'
import { recordSignIn } from './sign-in-trail.ts'

const validMinutes = 15

/** Creates a link for the operator at the command line: a way in when the identity provider does not work. */
export async function createSignInLink(
  service: Service,
  email: string,
): Promise<{ link: string; minutes: number }> {
  const person = await requirePerson(service, email)
  const token = randomBytes(32).toString('base64url')
  const tokenDigest = sha256Hex(token)
  await insertSignInLink(service.database, { userId: person.id, tokenDigest, minutes: validMinutes })
  await auditPerson(service, person.id, {
    actor: 'service',
    from: 'command line',
    action: 'member.sign_in_link_created',
  })
  return { link: `${service.publicUrl}/sign-in-link#${token}`, minutes: validMinutes }
}

/** Signs in without a password or second factor: the operator decides who gets the link. */
export async function useSignInLink(service: Service, token: string, device: Device): Promise<string[]> {
  const userId = await consumeSignInLink(service.database, sha256Hex(token))
  if (!userId) throw forbidden('This link was used or has expired. Ask the operator for a new one.')
  const cookies = await service.people.startSession(userId, device, null)
  await recordSignIn(service, userId, device.from, { method: 'sign-in link' })
  return cookies
}
