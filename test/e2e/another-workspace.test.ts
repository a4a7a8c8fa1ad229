import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { waitForAuditChain } from '../support/audit.ts'
import { readEventStream, type StreamedEvent } from '../support/event-stream.ts'
import { createSubscription } from '../support/fake-push-service.ts'
import { authorizationQuery, connectApp, registeredClient } from '../support/oauth.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Ids, ownStatus, samples } from '../support/route-samples.ts'
import { asOwner, dumpWorkspace } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { waitOptions } from '../support/wait-options.ts'

/** Part of every text in the first workspace. It must not appear anywhere outside it. */
const marker = 'xylophone'
const inventedId = '0123456789abcdefghjkmnpqrs'

type Operation = {
  method: string
  path: string
  name: string
  who: 'anyone' | 'people' | 'all'
  takesId: boolean
}
type Request = { method: string; path: string; body: unknown }

describe('on every route an id of another workspace gets the same response as a missing id', () => {
  let service: TestService
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let ours: TestWorkspace
  let theirs: TestWorkspace
  let operations: Operation[]
  let strangers: Record<string, Record<string, string>>
  let known: Ids[]
  let missing: Ids
  let before: Record<string, string[]>

  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService({
      CALLBACK_ALLOW_CIDRS: '127.0.0.1/32',
      PUSH_SERVICES: receiver.url,
    })
    ours = await service.workspace(`Acme ${marker}`)
    theirs = await service.workspace('Brown')
    known = await fill(service.url, ours, `${receiver.url}/${marker}`)
    missing = {
      ...known[0],
      taskId: `tsk_${inventedId}`,
      threadId: 'no-such-thread',
      keyId: `key_${inventedId}`,
      userId: `usr_${inventedId}`,
      invitationId: `inv_${inventedId}`,
      deliveryId: `dlv_${inventedId}`,
      analysisId: `anl_${inventedId}`,
      grantId: `grt_${inventedId}`,
      subscriptionId: `psh_${inventedId}`,
      groupId: `grp_${inventedId}`,
      policyId: `pol_${inventedId}`,
      ruleId: `rul_${inventedId}`,
      workspaceId: `wsp_${inventedId}`,
      invitedEmail: 'nobody@example.com',
    }
    const origin = { origin: new URL(service.url).origin }
    const revoked = (await ours.owner.post('/api-keys', { name: 'to be revoked' })).body
    await ours.owner.delete(`/api-keys/${revoked.keyId}`)
    const { accessToken } = await connectApp(service.url, theirs)
    strangers = {
      'another workspace’s key': { 'x-api-key': theirs.apiKey },
      'another workspace’s token': { authorization: `Bearer ${accessToken}` },
      'another workspace’s token, sent by our MCP server': {
        authorization: `Bearer ${accessToken}`,
        'handrail-internal': testSecrets.SERVICE_MCP_INTERNAL_TOKEN,
      },
      'another workspace’s cookie': {
        ...origin,
        cookie: theirs.owner.cookie,
        'handrail-workspace': theirs.workspaceId,
      },
      'another workspace’s cookie that names ours': {
        ...origin,
        cookie: theirs.owner.cookie,
        'handrail-workspace': ours.workspaceId,
      },
      nobody: origin,
      'a revoked key': { 'x-api-key': revoked.key },
    }
    operations = await readOperations(service.url)
    await waitForLastUse(service.databaseUrl, ours.workspaceId)
    await waitForAuditChain(ours)
    before = await dumpWorkspace(service.databaseUrl, ours.workspaceId)
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  test('every documented route has exactly one sample here', () => {
    expect(operations.length).toBeGreaterThan(30)
    expect(Object.keys(samples).sort()).toEqual(operations.map(({ name }) => name).sort())
  })

  test.each([
    'another workspace’s key',
    'another workspace’s token',
    'another workspace’s token, sent by our MCP server',
    'another workspace’s cookie',
    'another workspace’s cookie that names ours',
    'nobody',
    'a revoked key',
  ])('%s returns nothing and changes nothing', async (who) => {
    const secrets = [marker, ours.workspaceId, ours.ownerEmail, ...known.flatMap(secretIds)]
    for (const operation of operations) {
      const ofMissing = requestOf(operation, missing)
      const asMissing = await send(ofMissing, strangers[who]!)
      expect(asMissing.status, operation.name).toBe(expectedStatus(who, operation))
      const expectNoSecrets = ({ text }: { text: string }) => {
        for (const secret of secrets) expect(text, `${operation.name} shows ${secret}`).not.toContain(secret)
      }
      expectNoSecrets(asMissing)
      // Most requests contain only some of the ids, or none: each different one is sent once.
      const others = new Map(
        known.map((ids) => requestOf(operation, ids)).map((one) => [JSON.stringify(one), one]),
      )
      others.delete(JSON.stringify(ofMissing))
      if (operation.takesId) expect(others.size, operation.name).toBeGreaterThan(0)
      for (const request of others.values()) {
        const response = await send(request, strangers[who]!)
        if (operation.takesId) expect(response, operation.name).toEqual(asMissing)
        else expect(response.status, operation.name).toBe(asMissing.status)
        expectNoSecrets(response)
      }
    }
    expect(await dumpWorkspace(service.databaseUrl, ours.workspaceId)).toEqual(before)
  })

  test('lists, searches and cursors return nothing of another workspace', async () => {
    // Not with the key: its last use is recorded once per minute and would look like a change
    // later.
    const cursor = encodeURIComponent((await ours.owner.get('/tasks?limit=1')).body.nextCursor)
    const inboxCursor = encodeURIComponent((await ours.owner.get('/inbox?limit=1')).body.nextCursor)
    const expectNothingOfOurs = async (path: string) => {
      const responses = [await theirs.owner.get(path)]
      if (path.startsWith('/tasks')) responses.push(await theirs.agent.get(path))
      for (const { status, body } of responses) {
        expect(status, path).toBe(200)
        expect(JSON.stringify(body), path).not.toContain(marker)
        expect(JSON.stringify(body), path).not.toContain(ours.workspaceId)
      }
    }
    await expectNothingOfOurs(`/tasks/search?query=${marker}`)
    await expectNothingOfOurs(`/tasks/search?query=${marker.slice(0, 4)}`)
    await expectNothingOfOurs(`/tasks/search?query=${ours.workspaceId}`)
    await expectNothingOfOurs(`/tasks/search?query=w:${ours.workspaceId}`)
    await expectNothingOfOurs(`/tasks?cursor=${cursor}`)
    await expectNothingOfOurs('/tasks?status=open&limit=100')
    await expectNothingOfOurs('/tasks?status=handled')
    await expectNothingOfOurs('/tasks?app=books')
    await expectNothingOfOurs(`/inbox?cursor=${inboxCursor}`)
    await expectNothingOfOurs(`/inbox?q=${marker}`)
    await expectNothingOfOurs('/inbox?app=books')
    await expectNothingOfOurs('/inbox/facets')
    await expectNothingOfOurs('/audit?limit=100')
    await expectNothingOfOurs('/audit/verify')
    await expectNothingOfOurs('/audit/export?format=jsonl')
    await expectNothingOfOurs('/members')
    await expectNothingOfOurs('/connected-apps')
    await expectNothingOfOurs('/feedback-analyses')
    await expectNothingOfOurs('/statistics?app=books&type=refund-approval')
    await expectNothingOfOurs('/action-outcomes?app=books&type=refund-approval')
    await expectNothingOfOurs('/export?format=jsonl')
    await expectNothingOfOurs('/deliveries')
    await expectNothingOfOurs(`/deliveries?taskId=${known[1]!.taskId}`)
    expect((await theirs.owner.get(`/tasks?handledBy=${ours.ownerEmail}`)).body.tasks).toEqual([])
    expect((await theirs.agent.get(`/tasks/search?query=${known[0]!.taskId}`)).body.tasks).toEqual([])
  })

  test('the same thread id and idempotency key refer to a different thread and task in another workspace', async () => {
    const same = { threadId: known[0]!.threadId, idempotencyKey: known[0]!.idempotencyKey }
    const created = await theirs.agent.post('/tasks', taskPayload(same))
    expect(created.status).toBe(201)
    const { entries } = (await theirs.owner.get(`/threads/${same.threadId}/timeline`)).body
    expect(entries).toMatchObject([{ taskId: created.body.taskId, kind: 'created' }])
    expect(await dumpWorkspace(service.databaseUrl, ours.workspaceId)).toEqual(before)
  })

  test.each([
    ['assigned to', (who: string) => ({ assignTo: who })],
    ['reviewed by', (who: string) => ({ review: { by: [who] } })],
    ['kept from', (who: string) => ({ review: { notBy: [who] } })],
  ])('a task cannot be %s a member of another workspace, who counts as unknown', async (_, optionsFor) => {
    const [ofOurs, ofNobody] = await Promise.all(
      [ours.ownerEmail, 'nobody@example.com'].map((who) =>
        theirs.agent.post('/tasks', taskPayload(optionsFor(who))),
      ),
    )
    expect(ofOurs!.status).toBe(400)
    expect({ ...ofOurs!.body, requestId: '' }).toEqual({ ...ofNobody!.body, requestId: '' })
  })

  test('the event stream of a workspace contains no event of another', async () => {
    const { eventCursor } = (await ours.owner.get('/inbox')).body
    const ended = new AbortController()
    const response = await fetch(`${service.url}/api/v1/inbox/events`, {
      headers: { ...strangers['another workspace’s cookie'], 'last-event-id': eventCursor },
      signal: ended.signal,
    })
    await ours.agent.post('/tasks', taskPayload({}, { name: marker }))
    const own = (await theirs.agent.post('/tasks', taskPayload({}, { name: 'the last one' }))).body.taskId
    const events: StreamedEvent[] = []
    for await (const event of readEventStream(response)) {
      events.push(event)
      if ((event.data as { taskId?: string }).taskId === own) break
    }
    ended.abort()
    expect(JSON.stringify(events)).not.toContain(marker)
    expect(events.at(-1)!.data).toMatchObject({ taskId: own })
  })

  /** Exactly one status, so that a sample rejected for another reason does not count as a missing id. */
  function expectedStatus(who: string, { method, path, name, who: opens, takesId }: Operation): number {
    if (path === '/setup') return method === 'GET' ? 200 : 403
    // There is no mail server here, and no such link.
    if (/^\/invitations\/(accept|preview)$/.test(path) || path.startsWith('/password-resets')) return 403
    if (['/sign-in-links/use', '/unsubscribe/preview'].includes(path)) return 403
    // No identity provider is configured here.
    if (path.startsWith('/single-sign-on')) return 404
    if (['nobody', 'a revoked key', 'another workspace’s token'].includes(who)) return 401
    if (/’s (key|token, sent)/.test(who) && opens === 'people') return 403
    if (who === 'another workspace’s cookie that names ours' && !/^\/(me|authorizations)(\/|$)/.test(path))
      return 404
    if (takesId) return 404
    return ownStatus[name] ?? (method === 'POST' ? 201 : 200)
  }

  async function send({ method, path, body }: Request, identity: Record<string, string>) {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { ...identity, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const text = isStream ? '' : await response.text()
    if (isStream) await response.body!.cancel()
    const headers = Object.fromEntries(response.headers)
    for (const changing of ['date', 'x-request-id']) delete headers[changing]
    return { status: response.status, text: text.replace(/"requestId":"req_[\w-]+"/, ''), headers }
  }
})

function requestOf({ method, path, name }: Operation, ids: Ids): Request {
  const { query, body } = samples[name]?.(ids) ?? {}
  const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => {
    if (ids[part] === undefined) throw new Error(`There is no sample of {${part}} for ${name}.`)
    return encodeURIComponent(ids[part])
  })
  return { method, path: query ? `${filled}?${query}` : filled, body }
}

const secretIds = ({ taskId, userId, keyId, grantId, deliveryId, analysisId }: Ids): string[] =>
  [taskId, userId, keyId, grantId, deliveryId, analysisId].map((id) => id!)

async function readOperations(url: string): Promise<Operation[]> {
  type Document = { paths: Record<string, Record<string, { security: Record<string, unknown>[] }>> }
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lower, { security }]) => {
      const method = lower.toUpperCase()
      const forKeys = security.some((scheme) => 'apiKey' in scheme)
      const who =
        security.length === 0 ? ('anyone' as const) : forKeys ? ('all' as const) : ('people' as const)
      return { method, path, name: `${method} ${path}`, who, takesId: path.includes('{') }
    }),
  )
}

/**
 * Creates data of every kind. Returns the ids of an open task, a handled one and one with an answer
 * of two, each with the other ids.
 */
async function fill(url: string, workspace: TestWorkspace, callbackUrl: string): Promise<Ids[]> {
  const member = await workspace.person('member', `Mara ${marker}`)
  const create = async (word: string, more: Record<string, unknown> = {}) => {
    const payload = taskPayload(
      {
        ...more,
        threadId: `${word}-thread`,
        idempotencyKey: `${word}-key`,
        app: 'books',
        assignTo: member.email,
        acceptsQuestions: true,
        context: { data: { note: marker } },
        callbackUrl,
      },
      { name: `Refund ${marker}`, description: `About the ${marker}` },
    )
    const { taskId } = (await workspace.agent.post('/tasks', payload)).body
    await workspace.agent.post(`/tasks/${taskId}/updates`, { message: `Looking at the ${marker}` })
    return { taskId: taskId as string, threadId: `${word}-thread`, idempotencyKey: `${word}-key` }
  }
  const open = await create('open')
  await workspace.owner.post(`/tasks/${open.taskId}/claim`)
  await workspace.owner.post(`/tasks/${open.taskId}/questions`, { text: marker, kind: 'question' })
  await workspace.owner.post(`/tasks/${open.taskId}/notes`, { text: marker })
  await workspace.owner.put(`/tasks/${open.taskId}/drafts/decline`, { data: { reason: marker } })
  const handled = await create('handled')
  const answer = { actionId: 'decline', data: { reason: marker } }
  await workspace.owner.post(`/tasks/${handled.taskId}/handle`, answer)
  const reviewed = await create('reviewed', {
    review: { by: [member.email, workspace.ownerEmail], needed: 2 },
  })
  await member.post(`/tasks/${reviewed.taskId}/handle`, answer)
  const invitedEmail = 'invited@example.com'
  const invitation = (await workspace.owner.post('/invitations', { email: invitedEmail })).body
  const members = (await workspace.owner.get('/members')).body.members as { userId: string; email: string }[]
  const person = (email: string) => members.find((one) => one.email === email)!.userId
  const key = (await workspace.owner.post('/api-keys', { name: marker })).body
  const delivery = await vi.waitFor(async () => {
    const [found] = (await workspace.owner.get('/deliveries')).body.deliveries
    expect(found.state).toBe('delivered')
    return found
  }, waitOptions)
  await workspace.owner.post('/feedback-analyses', { app: 'books', type: 'refund-approval' })
  const analysis = await vi.waitFor(async () => {
    const [found] = (await workspace.owner.get('/feedback-analyses')).body.analyses
    expect(found.status).toBe('completed')
    return found
  }, waitOptions)
  const outcome = { app: 'books', type: 'refund-approval', actionId: marker, outcome: 'negative' }
  expect((await workspace.owner.put('/action-outcomes', outcome)).status).toBe(200)
  const group = (await workspace.owner.post('/groups', { slug: 'desk', name: marker })).body
  const policy = (await workspace.owner.post('/policies', { app: 'another', needed: 1 })).body
  const rule = await workspace.owner.post('/rules', {
    name: marker,
    app: 'books',
    type: 'refund-approval',
    answer: { actionId: 'approve' },
    until: new Date(Date.now() + 86_400_000).toISOString(),
  })
  expect(rule.status, JSON.stringify(rule.body)).toBe(201)
  const { subscription } = createSubscription(callbackUrl)
  const browser = await workspace.owner.post('/notifications/push/browsers', subscription)
  expect(browser.status, JSON.stringify(browser.body)).toBe(201)
  const app = await connectApp(url, workspace)
  const rest = {
    actionId: 'approve',
    grantId: app.grantId,
    groupId: group.groupId,
    policyId: policy.policyId,
    ruleId: rule.body.ruleId,
    workspaceId: workspace.workspaceId,
    authorizationQuery: authorizationQuery(await registeredClient(url)),
    analysisId: analysis.analysisId,
    keyId: key.keyId,
    invitationId: invitation.invitationId,
    invitedEmail,
    deliveryId: delivery.deliveryId,
    subscriptionId: browser.body.subscriptionId,
  }
  return [
    { ...rest, ...open, userId: person(member.email) },
    { ...rest, ...handled, userId: person(workspace.ownerEmail) },
    { ...rest, ...reviewed, userId: person(member.email) },
  ]
}

/** The last use of a key is recorded after the response. It must not look like a change later. */
async function waitForLastUse(databaseUrl: string, workspaceId: string): Promise<void> {
  const used = 'SELECT FROM api_keys WHERE workspace_id = $1 AND last_used_at IS NOT NULL'
  await vi.waitFor(
    () =>
      asOwner(databaseUrl, async (client) => {
        expect((await client.query(used, [workspaceId])).rows).toHaveLength(1)
      }),
    waitOptions,
  )
}
