import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectApp } from '../support/oauth.ts'
import { unknownBrowser } from '../support/route-samples.ts'
import {
  inAnHour,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
  testSecrets,
} from '../support/service.ts'

const missing = '0123456789abcdefghjkmnpqrs'

/**
 * From the fewest rights to the most. `nobody` has no credentials; `stranger` owns another
 * workspace and names ours. `token` is the access token of an app that the owner connected; `token
 * by MCP` is the same as our MCP server sends it.
 */
const everyone = [
  ...(['nobody', 'stranger', 'token', 'token by MCP', 'key'] as const),
  ...(['member', 'admin', 'owner'] as const),
]
type Who = (typeof everyone)[number]
type Rule = {
  /** The lowest role with access. */
  minRole: 'member' | 'admin' | 'owner'
  keys?: true
  /** If the task has a review, only for those it names: for nobody here. */
  forReviewers?: true
  /** The status for callers with access. 404, 409, 400 and 503 come after the access check. */
  status: number
  body?: unknown
}

/** Who may call each route. A route without a line here fails the test. */
const rules: Record<string, Rule> = {
  'POST /tasks': { minRole: 'member', keys: true, status: 201, body: taskPayload() },
  'POST /tasks/batch': { minRole: 'member', keys: true, status: 200, body: { tasks: [taskPayload()] } },
  'GET /tasks': { minRole: 'member', keys: true, status: 200 },
  'GET /tasks/search?query=refund': { minRole: 'member', keys: true, status: 200 },
  'GET /tasks/{taskId}': { minRole: 'member', keys: true, status: 200 },
  'POST /tasks/{taskId}/updates': { minRole: 'member', keys: true, status: 201, body: { message: 'm' } },
  // Only with acceptsQuestions.
  'POST /tasks/{taskId}/questions': {
    minRole: 'member',
    status: 409,
    body: { text: 'Why?', kind: 'question' },
  },
  'GET /views': { minRole: 'member', status: 200 },
  'PUT /views': { minRole: 'member', status: 200, body: { views: [] } },
  'PUT /views/shared': { minRole: 'admin', status: 200, body: { views: [] } },
  'POST /tasks/{taskId}/notes': { minRole: 'member', status: 201, body: { text: 'Seen.' } },
  'POST /tasks/{taskId}/assign': { minRole: 'member', status: 200, body: { to: null } },
  'POST /tasks/{taskId}/cancel': { minRole: 'member', keys: true, status: 200 },
  'GET /feedback-analyses/latest?type=refund-approval': { minRole: 'member', keys: true, status: 200 },
  'POST /feedback-analyses': { minRole: 'member', status: 202, body: { type: 'refund-approval' } },
  'GET /feedback-analyses': { minRole: 'member', status: 200 },
  'GET /feedback-analyses/{analysisId}': { minRole: 'member', status: 404 },
  'POST /feedback-analyses/{analysisId}/cancel': { minRole: 'member', status: 404 },
  'GET /statistics': { minRole: 'member', status: 200 },
  'GET /action-outcomes?type=refund-approval': { minRole: 'member', status: 200 },
  'PUT /action-outcomes': {
    minRole: 'admin',
    status: 200,
    body: { type: 'refund-approval', actionId: 'approve', outcome: 'positive' },
  },
  'GET /export?format=csv': { minRole: 'admin', status: 200 },
  'GET /me': { minRole: 'member', keys: true, status: 200 },
  'PATCH /me': { minRole: 'member', status: 204, body: { name: 'Mara' } },
  // Their addresses are already verified.
  'POST /me/verification': { minRole: 'member', status: 409 },
  'POST /tasks/{taskId}/handle': {
    minRole: 'member',
    forReviewers: true,
    status: 200,
    body: { actionId: 'approve' },
  },
  'POST /tasks/{taskId}/mark-done': { minRole: 'member', forReviewers: true, status: 200 },
  'POST /tasks/{taskId}/reject': {
    minRole: 'member',
    forReviewers: true,
    status: 200,
    body: { feedback: 'no' },
  },
  // The task is open.
  'DELETE /tasks/{taskId}/content': { minRole: 'admin', status: 409 },
  'POST /tasks/{taskId}/claim': { minRole: 'member', status: 200 },
  'DELETE /tasks/{taskId}/claim': { minRole: 'member', status: 204 },
  'PUT /tasks/{taskId}/snooze': { minRole: 'member', status: 200, body: { until: inAnHour() } },
  'DELETE /tasks/{taskId}/snooze': { minRole: 'member', status: 204 },
  'GET /tasks/{taskId}/drafts': { minRole: 'member', status: 200 },
  'PUT /tasks/{taskId}/drafts/{actionId}': { minRole: 'member', status: 200, body: { data: {} } },
  'DELETE /tasks/{taskId}/drafts/{actionId}': { minRole: 'member', status: 204 },
  'GET /tasks/{taskId}/deliveries': { minRole: 'member', status: 200 },
  'GET /threads/{threadId}/timeline': { minRole: 'member', status: 200 },
  'GET /inbox': { minRole: 'member', status: 200 },
  'GET /inbox/facets': { minRole: 'member', status: 200 },
  'GET /inbox/today?since=2020-01-01T00:00:00Z': { minRole: 'member', status: 200 },
  'GET /inbox/events': { minRole: 'member', status: 200 },
  'GET /members': { minRole: 'member', status: 200 },
  'GET /workspace': { minRole: 'member', status: 200 },
  'GET /api-keys': { minRole: 'admin', status: 200 },
  'POST /api-keys': { minRole: 'admin', status: 201, body: { name: 'k' } },
  'POST /api-keys/{keyId}/rotate': { minRole: 'admin', status: 404 },
  'DELETE /api-keys/{keyId}': { minRole: 'admin', status: 404 },
  'GET /connected-apps': { minRole: 'member', status: 200 },
  'PATCH /connected-apps': { minRole: 'admin', status: 200, body: { allowed: true, password: testPassword } },
  'DELETE /connected-apps/{grantId}': { minRole: 'member', status: 404 },
  // The query names no client.
  'POST /authorizations/preview': { minRole: 'member', status: 400, body: { query: 'state=x' } },
  'POST /authorizations': { minRole: 'member', status: 400, body: { query: 'state=x' } },
  // The people they name do not exist, so nothing is created.
  'GET /groups': { minRole: 'member', status: 200 },
  'POST /groups': { minRole: 'admin', status: 400, body: { slug: 'desk', members: ['nobody@example.com'] } },
  'PATCH /groups/{groupId}': { minRole: 'admin', status: 404, body: { name: 'Desk' } },
  'DELETE /groups/{groupId}': { minRole: 'admin', status: 404 },
  'GET /rules': { minRole: 'member', status: 200 },
  // No task has this action.
  'POST /rules': {
    minRole: 'admin',
    status: 400,
    body: { name: 'A rule', type: 'no-such', answer: { actionId: 'no-such' }, until: '2026-11-18T00:00:00Z' },
  },
  'POST /rules/pause-all': { minRole: 'admin', status: 200, body: {} },
  'GET /rules/{ruleId}': { minRole: 'member', status: 404 },
  'PATCH /rules/{ruleId}': { minRole: 'admin', status: 404, body: { name: 'Another name' } },
  'GET /policies': { minRole: 'member', status: 200 },
  'POST /policies': { minRole: 'admin', status: 400, body: { app: 'desk', by: ['group:nobody'] } },
  'POST /policies/preview': { minRole: 'admin', status: 200, body: { app: 'desk' } },
  // 0, so that nothing is created.
  'PUT /policies/double-reviews': {
    minRole: 'admin',
    status: 204,
    body: { app: 'desk', type: 'x', share: 0 },
  },
  'PATCH /policies/{policyId}': { minRole: 'admin', status: 404, body: { needed: 2 } },
  'DELETE /policies/{policyId}': { minRole: 'admin', status: 404 },
  // No task has this action.
  'POST /rules/backtest': {
    minRole: 'admin',
    status: 400,
    body: { type: 'no-such-type', answer: { actionId: 'approve' } },
  },
  'GET /rules/suggestions?type=no-such-type': { minRole: 'admin', status: 200 },
  'GET /invitations': { minRole: 'admin', status: 200 },
  'POST /invitations': { minRole: 'admin', status: 201, body: { email: 'new@example.com' } },
  'DELETE /invitations/{invitationId}': { minRole: 'admin', status: 404 },
  'GET /notifications': { minRole: 'member', status: 200 },
  'PUT /notifications': { minRole: 'member', status: 200, body: { mail: [], push: [], slack: [] } },
  // There is no mail server here.
  'POST /notifications/mail/test': { minRole: 'member', status: 503 },
  'POST /notifications/push/browsers': { minRole: 'member', status: 400, body: unknownBrowser },
  'DELETE /notifications/push/browsers/{subscriptionId}': { minRole: 'member', status: 404 },
  'POST /notifications/push/test': { minRole: 'member', status: 409 },
  'PUT /notifications/chat': {
    minRole: 'admin',
    status: 400,
    body: { url: 'http://10.0.0.1/', for: 'high' },
  },
  'DELETE /notifications/chat': { minRole: 'admin', status: 204 },
  'POST /notifications/chat/test': { minRole: 'admin', status: 404 },
  'GET /slack': { minRole: 'admin', status: 200 },
  // Slack cannot be reached from here.
  'PUT /slack': {
    minRole: 'admin',
    status: 503,
    body: { botToken: 'xoxb-1', signingSecret: '0'.repeat(32) },
  },
  'PUT /slack/channels': { minRole: 'admin', status: 409, body: { channels: [] } },
  'POST /slack/test': { minRole: 'admin', status: 409, body: { channelId: 'C0123456789' } },
  'DELETE /slack': { minRole: 'admin', status: 204 },
  'POST /notifications/slack/code': { minRole: 'member', status: 409 },
  'DELETE /notifications/slack': { minRole: 'member', status: 204 },
  'GET /audit': { minRole: 'admin', status: 200 },
  'GET /audit/verify': { minRole: 'admin', status: 200 },
  'GET /audit/export?format=jsonl': { minRole: 'admin', status: 200 },
  'GET /deliveries': { minRole: 'admin', status: 200 },
  'GET /deliveries/{deliveryId}': { minRole: 'admin', status: 404 },
  'POST /deliveries/{deliveryId}/redeliver': { minRole: 'admin', status: 404 },
  'POST /deliveries/redeliver': { minRole: 'admin', status: 202, body: { since: '2026-01-01T00:00:00Z' } },
  'POST /webhooks/secret/reveal': { minRole: 'admin', status: 200, body: { password: testPassword } },
  'POST /webhooks/secret/rotate': { minRole: 'admin', status: 200, body: { password: testPassword } },
  // A private address, which is not called.
  'POST /webhooks/test': { minRole: 'admin', status: 400, body: { url: 'http://10.0.0.1/' } },
  'DELETE /members/{userId}': { minRole: 'admin', status: 204 },
  'DELETE /members/{userId}/sessions': { minRole: 'admin', status: 204 },
  'PATCH /members/{userId}': { minRole: 'owner', status: 200, body: { role: 'member' } },
  'GET /workspace/retention-preview?days=30': { minRole: 'owner', status: 200 },
  'PATCH /workspace': { minRole: 'owner', status: 200, body: { name: 'Acme' } },
}

/** Open to everyone, protected by the token of a link or by rate limits. */
const forAnyone = [
  ...['GET /setup', 'POST /setup', 'POST /invitations/accept', 'POST /invitations/preview'],
  ...['POST /password-resets', 'POST /password-resets/accept', 'POST /sign-in-links/use'],
  'POST /unsubscribe/preview',
  ...['POST /single-sign-on', 'POST /single-sign-on/complete', 'POST /single-sign-on/confirm'],
]

describe('each role may do what the contract says, and nothing more', () => {
  let service: TestService
  let acme: TestWorkspace
  let cookies: Record<'stranger' | 'member' | 'admin' | 'owner', string>
  let accessToken: string
  let reviewer: string
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    cookies = {
      stranger: (await service.workspace()).owner.cookie,
      member: (await acme.person('member')).cookie,
      admin: (await acme.person('admin')).cookie,
      owner: acme.owner.cookie,
    }
    reviewer = (await acme.person('member')).email
    accessToken = (await connectApp(service.url, acme)).accessToken
  })
  afterAll(() => service.stop())

  test('every route of the document has a rule here, and the document names the same role', async () => {
    type Document = { paths: Record<string, Record<string, { 'x-role'?: string; security: object[] }>> }
    const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Document
    const documented = Object.fromEntries(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [
          `${method.toUpperCase()} ${path}`,
          operation.security.length === 0
            ? 'anyone'
            : (operation['x-role'] ?? 'member') + (operation.security.length > 1 ? ' or key' : ''),
        ]),
      ),
    )
    expect(documented).toEqual({
      ...Object.fromEntries(
        Object.entries(rules).map(([route, { minRole, keys }]) => [
          route.split('?')[0],
          minRole + (keys ? ' or key' : ''),
        ]),
      ),
      ...Object.fromEntries(forAnyone.map((route) => [route, 'anyone'])),
    })
  })

  test.each(Object.entries(rules))('%s', async (route, { minRole, keys, forReviewers, status, body }) => {
    // Whoever is refused changes nothing, so they can share it.
    const unchanged = await createSubject(route)
    for (const who of everyone) {
      const subject = expected(who) === status ? await createSubject(route) : unchanged
      expect(await call(who, route, body, subject), who).toBe(expected(who))
    }
    if (!route.includes('{taskId}')) return
    const reviewed = (await acme.agent.post('/tasks', taskPayload({ review: { by: [reviewer] } }))).body
      .taskId as string
    for (const who of everyone) {
      // Whoever may cancel a task needs no review for it.
      if (expected(who) === status && route.endsWith('/cancel')) continue
      const isRefused = forReviewers && expected(who) === status
      expect(await call(who, route, body, reviewed), `${who}, not a reviewer`).toBe(
        isRefused ? 403 : expected(who),
      )
    }
    expect((await acme.agent.get(`/tasks/${reviewed}`)).body).toMatchObject({
      status: 'open',
      review: { given: 0 },
    })

    function expected(who: Who): number {
      if (who === 'nobody' || who === 'token') return 401
      // A stranger cannot see the workspace, but can read and change their own account.
      if (who === 'stranger') return / \/(me|authorizations)(\/|$)/.test(route) ? status : 404
      const isAgent = who === 'key' || who === 'token by MCP'
      const allowed = isAgent ? keys === true : everyone.indexOf(who) >= everyone.indexOf(minRole)
      return allowed ? status : 403
    }
  })

  test('admins can remove members but not admins or owners; everyone can leave', async () => {
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

  /** The id of what the route changes or reads: a task, or a member. */
  async function createSubject(route: string): Promise<string> {
    if (route.includes('{userId}')) return await freshMember()
    if (!/\{taskId\}|\{threadId\}/.test(route)) return ''
    return (await acme.agent.post('/tasks', taskPayload())).body.taskId
  }

  async function call(who: Who, route: string, body: unknown, subject: string): Promise<number> {
    const [method, template] = route.split(' ') as [string, string]
    const path = template
      .replace(/\{(taskId|threadId|userId)\}/, subject)
      .replace('{actionId}', 'approve')
      .replace('{keyId}', `key_${missing}`)
      .replace('{invitationId}', `inv_${missing}`)
      .replace('{deliveryId}', `dlv_${missing}`)
      .replace('{analysisId}', `anl_${missing}`)
      .replace('{grantId}', `grt_${missing}`)
      .replace('{subscriptionId}', `psh_${missing}`)
      .replace('{groupId}', `grp_${missing}`)
      .replace('{policyId}', `pol_${missing}`)
      .replace('{ruleId}', `rul_${missing}`)
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
    if (who === 'token') return { authorization: `Bearer ${accessToken}` }
    if (who === 'token by MCP') {
      const { SERVICE_MCP_INTERNAL_TOKEN } = testSecrets
      return { authorization: `Bearer ${accessToken}`, 'handrail-internal': SERVICE_MCP_INTERNAL_TOKEN }
    }
    return { cookie: cookies[who], origin: service.url, 'handrail-workspace': acme.workspaceId }
  }
})
