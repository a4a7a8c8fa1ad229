import type { BenchService } from './service.ts'

const password = 'correct horse battery staple'

export type BenchWorkspace = Awaited<ReturnType<typeof setUpWorkspace>>

/**
 * Creates a workspace. Returns it with the headers of an agent (an API key) and of its owner (a
 * session cookie).
 */
export async function setUpWorkspace(service: BenchService, name = 'bench') {
  const email = `owner@${name}.example`
  const person = ['--email', email, '--password', password]
  const created = await service.handrail('setup', '--workspace', name, ...person)
  const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`Sign-in returned ${response.status}: ${await response.text()}`)
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return {
    workspaceId: created.workspaceId as string,
    agent: { 'x-api-key': created.apiKey as string },
    ownerEmail: email,
    owner: { cookie, origin: service.url, 'handrail-workspace': created.workspaceId as string },
  }
}
