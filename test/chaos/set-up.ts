import { type Caller, callAs } from '../support/http.ts'
import { testPassword } from '../support/service.ts'
import { setUpToken } from '../support/set-up-link.ts'

export type Person = { name: string; workspaceId: string; cookie: string; caller: () => Caller }

/** A service that may be killed. Its URL may change with each start. */
export type Reachable = { url(): string; output(): string }

/** Creates a workspace with two people and an API key through the public API. */
export async function setUp(service: Reachable) {
  const token = await setUpToken(service)
  const { headers, body } = await callAs(service.url(), {}).post('/setup', {
    token,
    workspace: 'Acme',
    name: 'Olga Owner',
    email: 'olga@example.com',
    password: testPassword,
  })
  const { workspaceId } = body as { workspaceId: string }
  const person = (name: string, setCookies: string[]): Person => {
    const cookie = setCookies.map((line) => line.split(';')[0]).join('; ')
    return {
      name,
      workspaceId,
      cookie,
      caller: () => {
        const url = service.url()
        return callAs(url, { cookie, origin: url })
      },
    }
  }
  const owner = person('Olga', headers.getSetCookie())
  const invited = await owner.caller().post('/invitations', { email: 'mara@example.com' })
  const accepted = await callAs(service.url(), {}).post('/invitations/accept', {
    token: new URL(invited.body.link).hash.slice(1),
    name: 'Mara Member',
    password: testPassword,
  })
  const key = await owner.caller().post('/api-keys', { name: 'Agents' })
  const people: [Person, Person] = [owner, person('Mara', accepted.headers.getSetCookie())]
  return {
    agent: () => callAs(service.url(), { 'x-api-key': key.body.key }),
    people,
  }
}
