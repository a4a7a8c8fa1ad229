import type { Service } from '../domain/service.ts'
import { recordDevice } from '../domain/workspaces/known-devices.ts'
import { deviceOf } from './route.ts'

// 400 days: browsers keep no cookie longer.
const cookieSeconds = 400 * 24 * 3_600

/**
 * Remembers that the person whom `sessionCookies` sign in uses this browser, and sends them an email
 * if the browser is new. Returns the cookie by which the browser is recognized next time; none if
 * the cookies sign nobody in.
 */
export async function rememberDevice(
  service: Service,
  request: Request,
  sessionCookies: string[],
  from: string,
  { skipsNewDeviceMail = false } = {},
): Promise<string[]> {
  const { people } = service
  const cookie = sessionCookies.map((line) => line.split(';')[0]).join('; ')
  const person = await people.findSignedInPerson(new Headers({ cookie }))
  if (!person) return []
  const value = recordDevice(service, person, deviceOf(request.headers, from), {
    remembered: await people.deviceCookie.read(request.headers),
    skipsNewDeviceMail,
  })
  return [await people.deviceCookie.write(value, cookieSeconds)]
}
