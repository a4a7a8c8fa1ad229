import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { choose } from '../support/notifications.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { passTime, runSweeps } from '../support/sweeps.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let mail: Awaited<ReturnType<typeof startMailServer>>
/** The next email to this address is refused for the time being. */
let refuseOnce = ''
let acme: TestWorkspace
/** A member of it who wants all emails. */
let mara: Awaited<ReturnType<TestWorkspace['person']>>

beforeAll(async () => {
  mail = await startMailServer((to) => {
    if (to !== refuseOnce) return undefined
    refuseOnce = ''
    return '451 try again later'
  })
  service = await startService({ SMTP_URL: mail.url, MAIL_FROM: 'handrail@example.com' })
  acme = await service.workspace('Acme')
  mara = await acme.person()
})
beforeEach(async () => {
  await mara.put('/notifications', choose({ mail: 'all', push: ['urgent'] }))
})
afterAll(async () => {
  await service.stop()
  await mail.stop()
})

const send = async (
  workspace: TestWorkspace,
  more: Record<string, unknown> = {},
  task: Record<string, unknown> = {},
) =>
  (await workspace.agent.post('/tasks', taskPayload({ priority: 'high', ...more }, task))).body
    .taskId as string
const mailsTo = (email: string, name: string) =>
  mail.mails.filter(({ to, plain }) => to.includes(email) && plain.includes(name))
const deliveriesOf = async (workspace: TestWorkspace, taskId: string) =>
  (await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries
const heldCount = async ({ workspaceId }: TestWorkspace) => {
  const held = 'SELECT FROM held_notifications WHERE workspace_id = $1'
  return (await query(service.databaseUrl, held, [workspaceId])).length
}

test('all emails about a task are one thread: one subject, and references to the same id', async () => {
  const taskId = await send(acme, {}, { name: 'Refund 40?' })
  await expect.poll(() => mailsTo(mara.email, 'Refund 40?')).toHaveLength(1)
  await acme.owner.post(`/tasks/${taskId}/assign`, { to: mara.email, note: 'Yours, please.' })
  await expect.poll(() => mailsTo(mara.email, 'Refund 40?')).toHaveLength(2)
  const [first, second] = mailsTo(mara.email, 'Refund 40?').map(({ headers }) => headers)
  const thread = { subject: '[Acme] Refund 40?', references: `<${taskId}@127.0.0.1>` }
  expect([first, second]).toMatchObject([thread, thread])
  expect(first!['in-reply-to']).toBe(thread.references)
  const deliveries = await deliveriesOf(acme, taskId)
  expect([second, first].map((headers) => headers!['message-id'])).toEqual(
    deliveries.map(({ deliveryId }: { deliveryId: string }) => `<${deliveryId}@127.0.0.1>`),
  )
})

describe('one message per task and person', () => {
  test('a retry is the same message', async () => {
    refuseOnce = mara.email
    const taskId = await send(acme, {}, { name: 'Retried' })
    const delivery = async () => (await deliveriesOf(acme, taskId))[0]
    await expect.poll(async () => (await delivery())?.attemptCount).toBe(1)
    await moveClock(service.databaseUrl, '10 minutes')
    await expect.poll(async () => (await delivery()).state).toBe('delivered')
    const [sent, ...more] = mailsTo(mara.email, 'Retried')
    expect(more).toEqual([])
    expect(sent!.headers['message-id']).toBe(`<${(await delivery()).deliveryId}@127.0.0.1>`)
  })

  test('the hourly email does not repeat what was mailed singly; a later assignment is mailed', async () => {
    const workspace = await service.workspace('Books')
    const mara = await workspace.person()
    await mara.put('/notifications', choose({ mail: 'all' }))
    const assigned = await send(workspace, { priority: 'normal' }, { name: 'Assigned meanwhile' })
    await send(workspace, { priority: 'normal' }, { name: 'Held one' })
    const later = await send(workspace, { priority: 'low' }, { name: 'Held two' })
    await expect.poll(() => heldCount(workspace)).toBe(3)
    await workspace.owner.post(`/tasks/${assigned}/assign`, { to: mara.email })
    await expect.poll(() => mailsTo(mara.email, 'Assigned meanwhile')).toHaveLength(1)
    expect(await heldCount(workspace)).toBe(2)
    await passTime(service, '61 minutes')
    await expect.poll(() => mailsTo(mara.email, 'Held')).toHaveLength(1)
    const [digest] = mailsTo(mara.email, 'Held')
    expect(digest!.headers.subject).toBe('2 tasks are waiting in Books')
    expect(digest!.headers.references).toBeUndefined()
    expect(digest!.plain).not.toContain('Assigned meanwhile')
    await workspace.owner.post(`/tasks/${later}/assign`, { to: mara.email })
    await expect.poll(() => mailsTo(mara.email, 'Held two')).toHaveLength(2)
    expect(mailsTo(mara.email, 'Assigned meanwhile')).toHaveLength(1)
  })

  test('a task that is assigned before its notice is due is not announced a second time', async () => {
    await mara.put('/notifications', choose({}))
    // Nobody wants notifications yet, so the task has no notice.
    const taskId = await send(acme, {}, { name: 'Assigned at once' })
    await mara.put('/notifications', choose({ mail: 'all' }))
    await acme.owner.post(`/tasks/${taskId}/assign`, { to: mara.email })
    await expect.poll(() => mailsTo(mara.email, 'Assigned at once')).toHaveLength(1)
    await query(
      service.databaseUrl,
      `INSERT INTO deliveries (id, workspace_id, event_id, event_type, task_id, kind, body)
       VALUES ('dlv_late', $1, 'evt_late', 'service/task_created', $2, 'notice', $2)`,
      [acme.workspaceId, taskId],
    )
    await runSweeps(service)
    const notices = () => query(service.databaseUrl, `SELECT FROM deliveries WHERE id = 'dlv_late'`)
    await expect.poll(notices).toEqual([])
    expect(await deliveriesOf(acme, taskId)).toHaveLength(1)
  })
})

test('the hourly email is by priority, lists 20 tasks, counts the others and links to the inbox', async () => {
  const workspace = await service.workspace('Cellar')
  await workspace.owner.put('/notifications', choose({ mail: 'all' }))
  const tasks = Array.from({ length: 23 }, (_, index) =>
    taskPayload({ priority: index < 2 ? 'low' : 'normal' }, { name: `Listed ${index}.` }),
  )
  expect((await workspace.agent.post('/tasks/batch', { tasks })).status).toBe(200)
  await expect.poll(() => heldCount(workspace)).toBe(23)
  await passTime(service, '61 minutes')
  await expect.poll(() => mailsTo(workspace.ownerEmail, 'Listed')).toHaveLength(1)
  const { headers, plain, html } = mailsTo(workspace.ownerEmail, 'Listed')[0]!
  expect(headers.subject).toBe('23 tasks are waiting in Cellar')
  expect(plain.match(/Listed \d+/g)).toHaveLength(20)
  expect(plain).toMatch(/^Normal priority\n\nListed \d+\./)
  // The two of low priority are among the rest.
  expect(plain).not.toContain('Low priority')
  expect(plain).not.toMatch(/Listed [01]\./)
  const inbox = `${service.url}/w/${workspace.workspaceId}/inbox`
  expect(plain).toContain(`And 3 more.\n\nOpen the inbox: ${inbox}\n`)
  expect(html.match(/Listed \d+/g)).toHaveLength(20)
  expect(html).toContain(`href="${inbox}"`)
  // Task content is not stored in the delivery, where deleting the tasks would not delete it.
  const bodies = await query(service.databaseUrl, 'SELECT body FROM deliveries WHERE workspace_id = $1', [
    workspace.workspaceId,
  ])
  expect(bodies).not.toEqual([])
  expect(JSON.stringify(bodies)).not.toContain('Listed')
})

describe('unsubscribing', () => {
  let headers: Record<string, string>
  let plain: string
  let link: string
  beforeAll(async () => {
    await mara.put('/notifications', choose({ mail: 'all' }))
    await send(acme, {}, { name: 'Chosen' })
    const sent = await vi.waitUntil(() => mailsTo(mara.email, 'Chosen')[0], waitOptions)
    ;({ headers, plain } = sent)
    link = /^<(.*)>$/.exec(headers['list-unsubscribe']!)![1]!
  })
  const wants = async () => (await mara.get('/notifications')).body
  const oneClick = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  }

  test('takes one POST without a sign-in, and succeeds again; other media and people are not affected', async () => {
    await acme.owner.put('/notifications', choose({ mail: 'all' }))
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(plain).toContain(`Turn off emails about tasks in Acme: ${link}`)
    for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200)
    for (const method of ['PUT', 'DELETE', 'OPTIONS'])
      expect((await fetch(link, { method })).status).toBe(404)
    expect((await wants()).mail.wants).toContain('urgent')
    for (let times = 0; times < 2; times++) expect((await fetch(link, oneClick)).status).toBe(204)
    expect(await wants()).toMatchObject({ mail: { wants: [] }, push: { wants: ['urgent'] } })
    const taskId = await send(acme, {}, { name: 'After it' })
    await expect.poll(() => mailsTo(acme.ownerEmail, 'After it')).toHaveLength(1)
    // The deliveries of a task are created in one transaction, so this one is all.
    expect(await deliveriesOf(acme, taskId)).toHaveLength(1)
    await acme.owner.put('/notifications', choose({}))
  })

  test('ends emails that are queued already', async () => {
    refuseOnce = mara.email
    const taskId = await send(acme, {}, { name: 'Queued' })
    const delivery = async () => (await deliveriesOf(acme, taskId))[0]
    await expect.poll(async () => (await delivery())?.attemptCount).toBe(1)
    await fetch(link, oneClick)
    await moveClock(service.databaseUrl, '10 minutes')
    await expect.poll(async () => (await delivery()).state).toBe('failed')
    expect((await delivery()).attempts.at(-1).error).toBe('The person has turned emails off.')
    expect(mailsTo(mara.email, 'Queued')).toEqual([])
  })

  test('needs a token that this service signed', async () => {
    const token = link.split('/').at(-1)!
    const { userId } = (await acme.owner.get('/me')).body.person
    const [workspaceId, , signature] = token.split('.')
    const bad = [
      `${workspaceId}.${userId}.${signature}`,
      token.slice(0, -1),
      `${token}.x`,
      'x',
      '%00',
      'x'.repeat(9_000),
    ]
    for (const one of bad) {
      const refused = await fetch(`${service.url}/unsubscribe/${one}`, oneClick)
      expect(refused.status, one.slice(0, 80)).toBe(403)
      expect((await refused.json()).detail).toContain('This link is not valid.')
    }
    expect((await wants()).mail.wants).toContain('urgent')
    const preview = await acme.owner.post('/unsubscribe/preview', { token: bad[0]! })
    expect(preview.status).toBe(403)
    const { status, body } = await acme.owner.post('/unsubscribe/preview', { token })
    expect([status, body.workspaceName, body.isOn]).toEqual([200, 'Acme', true])
    await fetch(link, oneClick)
    expect((await acme.owner.post('/unsubscribe/preview', { token })).body.isOn).toBe(false)
  })

  test('is offered in emails that people chose, not in those about their account', async () => {
    await acme.owner.post('/invitations', { email: 'invited@example.com' })
    await expect.poll(() => mailsTo('invited@example.com', 'invited you')).toHaveLength(1)
    const { headers, html } = mailsTo('invited@example.com', 'invited you')[0]!
    expect(headers['list-unsubscribe']).toBeUndefined()
    expect(headers['auto-submitted']).toBe('auto-generated')
    expect(html).not.toContain('unsubscribe')
  })
})
