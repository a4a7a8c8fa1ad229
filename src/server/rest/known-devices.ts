import type { Service } from '../domain/service.ts'
import { recordDevice } from '../domain/workspaces/known-devices.ts'
import { deviceOf } from './route.ts'

// With email, these links were sent to the address of the account.
const mailboxRoutes = /\/(setup|invitations\/accept|password-resets\/accept)$/

/** For a response that signs someone in: the cookie by which this browser is recognized next time. */
export async function deviceCookieFor(
  service: Service,
  request: Request,
  sessionCookies: string[],
  from: string,
): Promise<string[]> {
  const { people } = service
  const cookie = sessionCookies.map((line) => line.split(';')[0]).join('; ')
  const person = await people.findSignedInPerson(new Headers({ cookie }))
  if (!person) return []
  const value = await recordDevice(service, person, deviceOf(request.headers, from), {
    remembered: await people.deviceCookie.read(request.headers),
    provesMailbox: mailboxRoutes.test(new URL(request.url).pathname),
  })
  return [await people.deviceCookie.write(value)]
}
