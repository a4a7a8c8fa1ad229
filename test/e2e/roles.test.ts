import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'

const missing = '0123456789abcdefghjkmnpqrs'

/** Least first. `nobody` has no credentials; `stranger` owns another workspace and names ours. */
const everyone = ['nobody', 'stranger', 'key', 'member', 'admin', 'owner'] as const
type Who = (typeof everyone)[number]
type Rule = {
  /** The lowest role that may; keys only where it says so. */
  least: 'member' | 'admin' | 'owner'
  keys?: true
  /** What those who may get. 404: past the gate, to an id that is not there. */
  status: number
  body?: unknown
}

/** Contract 5, route by route. A route without a line here fails the test. */
const rules: Record<string, Rule> = {
  'POST /tasks': { least: 'member', keys: true, status: 201, body: taskPayload() },
  'GET /tasks': { least: 'member', keys: true, status: 200 },
  'GET /tasks/search?query=refund': { least: 'member', keys: true, status: 200 },
  'GET /tasks/{taskId}': { least: 'member', keys: true, status: 200 },
  'POST /tasks/{taskId}/updates': { least: 'member', keys: true, status: 201, body: { message: 'm' } },
  'POST /tasks/{taskId}/cancel': { least: 'member', keys: true, status: 200 },
  'GET /feedback-analyses/latest?type=refund-approval': { least: 'member', keys: true, status: 200 },
  'POST /feedback-analyses': { least: 'member', status: 202, body: { type: 'refund-approval' } },
  'GET /feedback-analyses': { least: 'member', status: 200 },
  'POST /feedback-analyses/{analysisId}/cancel': { least: 'member', status: 404 },
  'GET /statistics': { least: 'member', status: 200 },
  'GET /export?format=csv': { least: 'admin', status: 200 },
  'GET /me': { least: 'member', keys: true, status: 200 },
  'PATCH /me': { least: 'member', status: 204, body: { name: 'Mara' } },
  // Their addresses are verified: past the gate.
  'POST /me/verification': { least: 'member', status: 409 },
  'POST /tasks/{taskId}/handle': { least: 'member', status: 200, body: { actionId: 'approve' } },
  'POST /tasks/{taskId}/mark-done': { least: 'member', status: 200 },
  'POST /tasks/{taskId}/reject': { least: 'member', status: 200, body: { feedback: 'no' } },
  // The task is open: past the gate.
  'DELETE /tasks/{taskId}/content': { least: 'admin', status: 409 },
  'POST /tasks/{taskId}/claim': { least: 'member', status: 200 },
  'DELETE /tasks/{taskId}/claim': { least: 'member', status: 204 },
  'GET /tasks/{taskId}/drafts': { least: 'member', status: 200 },
  'PUT /tasks/{taskId}/drafts/{actionId}': { least: 'member', status: 200, body: { data: {} } },
  'DELETE /tasks/{taskId}/drafts/{actionId}': { least: 'member', status: 204 },
  'GET /tasks/{taskId}/deliveries': { least: 'member', status: 200 },
  'GET /threads/{threadId}/timeline': { least: 'member', status: 200 },
  'GET /inbox': { least: 'member', status: 200 },
  'GET /inbox/facets': { least: 'member', status: 200 },
  'GET /inbox/today?since=2020-01-01T00:00:00Z': { least: 'member', status: 200 },
  'GET /inbox/events': { least: 'member', status: 200 },
  'GET /members': { least: 'member', status: 200 },
  'GET /workspace': { least: 'member', status: 200 },
  'GET /api-keys': { least: 'admin', status: 200 },
  'POST /api-keys': { least: 'admin', status: 201, body: { name: 'k' } },
  'POST /api-keys/{keyId}/rotate': { least: 'admin', status: 404 },
  'DELETE /api-keys/{keyId}': { least: 'admin', status: 404 },
  'GET /invitations': { least: 'admin', status: 200 },
  'POST /invitations': { least: 'admin', status: 201, body: { email: 'new@example.com' } },
  'DELETE /invitations/{invitationId}': { least: 'admin', status: 404 },
  'GET /notifications': { least: 'member', status: 200 },
  'PUT /notifications/mail': { least: 'member', status: 200, body: { for: 'never' } },
  // There is no mail server here: past the gate.
  'POST /notifications/mail/test': { least: 'member', status: 503 },
  'PUT /notifications/chat': { least: 'admin', status: 400, body: { url: 'http://10.0.0.1/', for: 'high' } },
  'DELETE /notifications/chat': { least: 'admin', status: 204 },
  'POST /notifications/chat/test': { least: 'admin', status: 404 },
  'GET /audit': { least: 'admin', status: 200 },
  'GET /audit/verify': { least: 'admin', status: 200 },
  'GET /audit/export?format=jsonl': { least: 'admin', status: 200 },
  'GET /deliveries': { least: 'admin', status: 200 },
  'GET /deliveries/{deliveryId}': { least: 'admin', status: 404 },
  'POST /deliveries/{deliveryId}/redeliver': { least: 'admin', status: 404 },
  'POST /deliveries/redeliver': { least: 'admin', status: 202, body: { since: '2026-01-01T00:00:00Z' } },
  'POST /webhooks/secret/reveal': { least: 'admin', status: 200, body: { password: testPassword } },
  'POST /webhooks/secret/rotate': { least: 'admin', status: 200 },
  // An address nobody may call: past the gate, and no call is made.
  'POST /webhooks/test': { least: 'admin', status: 400, body: { url: 'http://10.0.0.1/' } },
  'DELETE /members/{userId}': { least: 'admin', status: 204 },
  'PATCH /members/{userId}': { least: 'owner', status: 200, body: { role: 'member' } },
  'GET /workspace/retention-preview?days=30': { least: 'owner', status: 200 },
  'PATCH /workspace': { least: 'owner', status: 200, body: { name: 'Acme' } },
}

/** Open to whoever has the token of a link, or forgot a password. */
const forAnyone = [
  ...['GET /setup', 'POST /setup', 'POST /invitations/accept', 'POST /invitations/preview'],
  ...['POST /password-resets', 'POST /password-resets/accept'],
]

describe('each role may do what the contract says, and nothing more', () => {
  let service: TestService
  let acme: TestWorkspace
  let cookies: Record<Exclude<Who, 'nobody' | 'key'>, string>
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    cookies = {
      stranger: (await service.workspace()).owner.cookie,
      member: (await acme.person('member')).cookie,
      admin: (await acme.person('admin')).cookie,
      owner: acme.owner.cookie,
    }
  })
  afterAll(() => service.stop())

  test('every route of the document has a rule here, and the document names the same role', async () => {
    type Document = { paths: Record<string, Record<string, { 'x-role'?: string; security: object[] }>> }
    const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Document
    const told = Object.fromEntries(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [
          `${method.toUpperCase()} ${path}`,
          operation.security.length === 0
            ? 'anyone'
            : (operation['x-role'] ?? 'member') + (operation.security.length > 1 ? ' or key' : ''),
        ]),
      ),
    )
    expect(told).toEqual({
      ...Object.fromEntries(
        Object.entries(rules).map(([route, { least, keys }]) => [
          route.split('?')[0],
          least + (keys ? ' or key' : ''),
        ]),
      ),
      ...Object.fromEntries(forAnyone.map((route) => [route, 'anyone'])),
    })
  })

  test.each(Object.entries(rules))('%s', async (route, { least, keys, status, body }) => {
    for (const who of everyone) expect(await call(who, route, body), who).toBe(expected(who))

    function expected(who: Who): number {
      if (who === 'nobody') return 401
      // To a stranger the workspace is not there; who he is he may ask and change.
      if (who === 'stranger') return / \/me(\/|$)/.test(route) ? status : 404
      const allowed = who === 'key' ? keys === true : everyone.indexOf(who) >= everyone.indexOf(least)
      return allowed ? status : 403
    }
  })

  test('admins remove members and leave others of their rank and above alone; everyone may leave', async () => {
    const idOf = async (email: string) =>
      (await acme.owner.get('/members')).body.members.find((one: { email: string }) => one.email === email)
        .userId as string
    const [member, admin] = [await acme.person('member'), await acme.person('admin')]
    const owner = await idOf(acme.ownerEmail)
    const another = await acme.person('admin')
    expect((await another.delete(`/members/${await idOf(admin.email)}`)).status).toBe(403)
    expect((await another.delete(`/members/${owner}`)).status).toBe(403)
    expect((await member.delete(`/members/${await idOf(admin.email)}`)).status).toBe(403)
    for (const person of [member, admin])
      expect((await person.delete(`/members/${await idOf(person.email)}`)).status).toBe(204)
  })

  async function call(who: Who, route: string, body: unknown): Promise<number> {
    const [method, template] = route.split(' ') as [string, string]
    let path = template
      .replace('{actionId}', 'approve')
      .replace('{keyId}', `key_${missing}`)
      .replace('{invitationId}', `inv_${missing}`)
      .replace('{deliveryId}', `dlv_${missing}`)
      .replace('{analysisId}', `anl_${missing}`)
    if (/\{taskId\}|\{threadId\}/.test(path)) {
      const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
      path = path.replace(/\{taskId\}|\{threadId\}/, taskId)
    }
    if (path.includes('{userId}')) path = path.replace('{userId}', await freshMember())
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { ...identityOf(who), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    await response.body?.cancel()
    return response.status
  }

  async function freshMember(): Promise<string> {
    const { email } = await acme.person('member')
    const { members } = (await acme.owner.get('/members')).body
    return members.find((one: { email: string }) => one.email === email).userId
  }

  function identityOf(who: Who): Record<string, string> {
    if (who === 'nobody') return { origin: service.url }
    if (who === 'key') return { 'x-api-key': acme.apiKey }
    return { cookie: cookies[who], origin: service.url, 'handrail-workspace': acme.workspaceId }
  }
})
