import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockWaits } from '../support/database-sessions.ts'
import { buttonTexts, connectToSlack, type FakeSlack, startFakeSlack, textOf } from '../support/fake-slack.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, taskPayload } from '../support/service.ts'
import { linkedWorkspace } from '../support/slack-workspace.ts'
import { runSweeps } from '../support/sweeps.ts'
import { waitOptions } from '../support/wait-options.ts'

let service: TestService
let slack: FakeSlack
let linked: Awaited<ReturnType<typeof linkedWorkspace>>
beforeAll(async () => {
  slack = await startFakeSlack()
  service = await startService({ SLACK_API_URL: slack.url })
  linked = await linkedWorkspace(service, slack)
})
beforeEach(() => {
  slack.calls.length = 0
})
afterAll(async () => {
  await service.stop()
  await slack.stop()
  expect(slack.problems).toEqual([])
})

test('settings show the manifest and the connection, never the secrets', async () => {
  const workspace = await service.workspace()
  const before = await workspace.owner.get('/slack')
  const manifest = JSON.parse(before.body.manifest)
  const url = `${service.url}/slack/${workspace.workspaceId}/interactions`
  expect(manifest.settings.interactivity).toEqual({ is_enabled: true, request_url: url })
  expect(manifest.features.slash_commands).toMatchObject([{ command: '/handrail', url }])
  expect(before.body).toMatchObject({ channels: [], linkedPeople: 0 })
  const app = await connectToSlack(service.url, workspace)
  const { body } = await workspace.owner.get('/slack')
  expect(body.connection).toMatchObject({ teamName: 'Team T1' })
  expect(JSON.stringify(body)).not.toContain(app.secret)
  expect(JSON.stringify(body)).not.toContain(app.botToken)
  const { entries } = (await workspace.owner.get('/audit?action=slack.connected')).body
  expect(entries).toHaveLength(1)
  expect(JSON.stringify(entries)).not.toContain(app.botToken)
  const refused = await workspace.owner.put('/slack', {
    botToken: 'xoxb-T1-revoked',
    signingSecret: '0'.repeat(32),
  })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'botToken' }] } })
  const replaced = await workspace.owner.put('/slack', {
    botToken: app.botToken,
    signingSecret: '0'.repeat(32),
  })
  expect(replaced.body.connection.connectedAt).toBe(body.connection.connectedAt)
})

test('channels that two admins save at once replace each other, and a disconnect leaves none', async () => {
  const workspace = await service.workspace()
  await connectToSlack(service.url, workspace)
  const save = (channelId: string) =>
    workspace.owner.put('/slack/channels', { channels: [{ channelId, name: '#refunds', for: 'all' }] })
  const channels = async () => (await workspace.owner.get('/slack')).body.channels
  /** Both changes wait for the channel that is being saved. */
  const atOnce = (change: () => Promise<unknown>, other: () => Promise<unknown>) =>
    asOwner(service.databaseUrl, async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM notification_routes WHERE workspace_id = $1 FOR UPDATE', [
        workspace.workspaceId,
      ])
      const first = change()
      await expect.poll(() => lockWaits(service.databaseUrl), waitOptions).toBe(1)
      const second = other()
      await expect.poll(() => lockWaits(service.databaseUrl), waitOptions).toBe(2)
      await client.query('COMMIT')
      await Promise.all([first, second])
    })
  expect((await save('C000000001')).status).toBe(200)
  await atOnce(
    () => save('C000000002'),
    () => save('C000000003'),
  )
  expect(await channels()).toMatchObject([{ channelId: 'C000000003' }])
  await atOnce(
    () => save('C000000004'),
    () => workspace.owner.delete('/slack'),
  )
  expect(await channels()).toEqual([])
})

test('a token that Slack refuses is a mistake in the form, a busy Slack is not', async () => {
  const { owner } = await service.workspace()
  const connect = () => owner.put('/slack', { botToken: 'xoxb-T1-typo', signingSecret: '0'.repeat(32) })
  const respondOnce = (response: object) => slack.respondOnce('auth.test', response)
  respondOnce({ body: { ok: false, error: 'invalid_auth' } })
  expect(await connect()).toMatchObject({
    status: 400,
    body: {
      errors: [{ path: 'botToken', message: expect.stringMatching(/^Slack does not accept this token/) }],
    },
  })
  for (const error of ['internal_error', 'service_unavailable']) {
    respondOnce({ body: { ok: false, error } })
    expect(await connect(), error).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  }
  respondOnce({ status: 429, body: { ok: false, error: 'ratelimited' }, headers: { 'retry-after': '30' } })
  const limited = await connect()
  expect({ status: limited.status, retryAfter: limited.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '30',
  })
})

test('a task is posted with everything it says, and a click answers it; the message then shows the outcome', async () => {
  const { app, userId, mara, posted, task } = linked
  const { taskId, message } = await posted(
    taskPayload({ context: { data: { order: 58213, items: ['Chair', 'Table'], to: { city: 'Graz' } } } }),
  )
  expect(textOf(message.blocks)).toContain('Refund €40?')
  for (const part of ['The parcel came back.', 'order: 58213', '• Chair\n• Table', '• city: Graz'])
    expect(textOf(message.blocks)).toContain(part)
  expect(buttonTexts(message)).toEqual(['Approve', 'Decline…', 'Reject…', 'Open in Handrail'])
  expect(slack.calls.find(({ method }) => method === 'chat.postMessage')!.input).toMatchObject({
    unfurl_links: false,
    unfurl_media: false,
    parse: 'none',
  })
  expect(await app.click(userId, message, 'Approve')).toEqual({ status: 200, body: undefined })
  const answered = await task(taskId)
  expect(answered.handled).toMatchObject({
    actionId: 'approve',
    handledBy: mara.email,
    via: 'slack',
    revision: 1,
  })
  await expect.poll(() => textOf(message.blocks)).toContain('Answered: Approve, by Mara Member in Slack')
  expect(textOf(message.blocks)).not.toContain('The parcel came back.')
  expect(buttonTexts(message)).toEqual(['Open in Handrail'])
})

test('a double click decides once, and the second shows who answered', async () => {
  const { app, userId, posted, task } = linked
  const { taskId, message } = await posted()
  const before = structuredClone(message)
  const responses = await Promise.all([
    app.click(userId, before, 'Approve'),
    app.click(userId, before, 'Approve'),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  await expect.poll(() => slack.explanationsTo(userId)).toHaveLength(1)
  expect(slack.explanationsTo(userId)[0]).toMatch(
    /^This task ended on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Answered: Approve, by Mara Member in Slack\. Nothing was recorded\./,
  )
  expect((await task(taskId)).status).toBe('handled')
})

test('an answer on the page rewrites the message, and a later click shows the outcome', async () => {
  const { app, userId, mara, posted } = linked
  const { taskId, message } = await posted()
  const before = structuredClone(message)
  await mara.post(`/tasks/${taskId}/handle`, {
    actionId: 'decline',
    data: { reason: 'Too late' },
    revision: 1,
  })
  await expect.poll(() => textOf(message.blocks)).toContain('Answered: Decline, by Mara Member')
  expect(textOf(message.blocks)).not.toContain('in Slack')
  await app.click(userId, before, 'Approve')
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('Answered: Decline, by Mara Member.')
})

test('an action with a form opens it, mistakes are shown at their fields, and the submitted form answers', async () => {
  const { app, userId, posted, task } = linked
  const schema = {
    type: 'object',
    required: ['reason', 'unit price'],
    properties: {
      reason: { type: 'string', title: 'Why?', description: 'The customer reads it.', minLength: 5 },
      'unit price': { type: 'number', title: 'Price', maximum: 100 },
      kind: { type: 'string', enum: ['full', 'part'], default: 'part' },
      parts: { type: 'array', uniqueItems: true, items: { type: 'string', enum: ['a', 'b', 'c'] } },
      on: { type: 'string', format: 'date' },
      urgent: { type: 'boolean' },
    },
  }
  const ui = { reason: { 'ui:widget': 'textarea', 'ui:options': { prefill: 'draft' } } }
  const { taskId, message } = await posted(
    taskPayload({
      context: { data: { draft: 'It came back\non day 34.' } },
      actions: [{ id: 'refund', title: 'Refund', schema, ui }],
    }),
  )
  await app.click(userId, message, 'Refund…')
  const view = slack.viewsOf().at(-1)
  expect(view.blocks.filter(({ type }: { type: string }) => type === 'input')).toMatchObject([
    {
      block_id: 'field-0',
      optional: false,
      element: { multiline: true, initial_value: 'It came back\non day 34.' },
    },
    { element: { type: 'number_input', is_decimal_allowed: true } },
    { optional: true, element: { type: 'radio_buttons', initial_option: { value: '1' } } },
    { element: { type: 'checkboxes' } },
    { element: { type: 'datepicker' } },
    { element: { type: 'radio_buttons' } },
  ])
  const values = {
    'field-0': { value: 'No' },
    'field-1': { value: '140' },
    'field-2': { selected_option: { value: '0' } },
    'field-3': { selected_options: [{ value: '0' }, { value: '2' }] },
    'field-4': { selected_date: '2026-11-20' },
    'field-5': { selected_option: { value: '1' } },
  }
  const wrong = await app.submit(userId, view, values)
  expect(wrong.body).toMatchObject({
    response_action: 'errors',
    errors: { 'field-0': expect.stringContaining('5'), 'field-1': expect.stringContaining('100') },
  })
  const right = { ...values, 'field-0': { value: 'Broken on arrival' }, 'field-1': { value: '12.5' } }
  expect(await app.submit(userId, view, right)).toEqual({ status: 200, body: undefined })
  const { handled } = await task(taskId)
  expect(handled.data).toEqual({
    reason: 'Broken on arrival',
    'unit price': 12.5,
    kind: 'full',
    parts: ['a', 'c'],
    on: '2026-11-20',
    urgent: false,
  })
  expect(handled.edits).toMatchObject([{ field: 'reason', changed: true }])
})

test('a person rejects a task with feedback', async () => {
  const { app, userId, posted, task } = linked
  const { taskId, message } = await posted()
  await app.click(userId, message, 'Reject…')
  const view = slack.viewsOf().at(-1)
  await app.submit(userId, view, { feedback: { value: 'Ask the warehouse first.' } })
  expect((await task(taskId)).handled).toMatchObject({
    actionId: 'service:reject-request',
    data: { feedback: 'Ask the warehouse first.' },
    via: 'slack',
  })
})

test('a task that does not fit is shown by its beginning and a link, without buttons', async () => {
  const { workspace, posted } = linked
  const unfit = [
    { context: { data: { picture: 'data:image/png;base64,AAAA' } } },
    { context: { data: { deep: { a: { b: 1 } } } } },
    { context: { data: { text: '# Hello' }, ui: { text: { 'ui:widget': 'markdown' } } } },
    { context: { data: { options: [{ a: 1 }, { a: 2 }] }, ui: { options: { 'ui:widget': 'compare' } } } },
    { actions: [{ id: 'a', title: 'A'.repeat(100) }] },
    { actions: Array.from({ length: 21 }, (_, n) => ({ id: `a${n}`, title: `Action ${n}` })) },
  ]
  const long = { description: 'word '.repeat(1_900) }
  const hidden = { description: 'Pay \u202e001 now' }
  const payloads = [...unfit.map((more) => taskPayload(more)), taskPayload({}, long), taskPayload({}, hidden)]
  for (const { message } of await Promise.all(payloads.map(posted)))
    expect(buttonTexts(message)).toEqual(['Open in Handrail'])
  expect((await workspace.owner.get('/slack')).body.connection.problem).toBeUndefined()
})

test('a form that Slack cannot show is a link, next to the buttons of the other actions', async () => {
  const { posted } = linked
  const list = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } }
  const { message } = await posted(
    taskPayload({
      actions: [
        { id: 'approve', title: 'Approve' },
        { id: 'edit', title: 'Edit', schema: { type: 'object', properties: { list } } },
      ],
    }),
  )
  expect(buttonTexts(message)).toEqual(['Approve', 'Edit…', 'Reject…', 'Open in Handrail'])
  const edit = message.blocks.at(-1)!.elements[1]
  expect(edit.value).toBeUndefined()
  expect(edit.url).toContain('/inbox/tsk_')
})

test('hostile texts mention nobody and stay within the limits', async () => {
  const { posted } = linked
  const name = `<!channel> *bold* <https://evil.example|here> & @all ${'x'.repeat(130)}`
  const { message } = await posted(
    taskPayload(
      { context: { data: { '<!here>': '<@U1> :tada: `x`' } } },
      { name, description: '<!everyone> &amp;' },
    ),
  )
  expect(message.text).not.toContain('<!channel>')
  expect(message.text).toContain('&lt;!channel&gt;')
  const texts = JSON.stringify(message.blocks)
  expect(texts).not.toContain('mrkdwn')
  expect(textOf(message.blocks)).toContain('<!everyone> &amp;')
})

test('a revision rewrites the message without buttons, and a click on the earlier one answers nothing', async () => {
  const { workspace, app, userId, posted, task } = linked
  const { taskId, message } = await posted()
  const before = structuredClone(message)
  await workspace.agent.post(`/tasks/${taskId}/updates`, {
    message: 'New amount',
    revision: { task: { description: 'It is €45.' } },
  })
  await runSweeps(service)
  await expect.poll(() => textOf(message.blocks)).toContain('It is €45.')
  await app.click(userId, before, 'Approve')
  await expect
    .poll(() => slack.explanationsTo(userId).join())
    .toContain(
      'The agent has revised the task. Open it to see what changed and to answer it. Nothing was recorded.',
    )
  expect((await task(taskId)).status).toBe('open')
  // Nobody answers a text that changed below their finger.
  expect(buttonTexts(message)).toEqual(['Open in Handrail'])
})

test('two people are needed: one answers in Slack, the other on the page', async () => {
  const { workspace, app, userId, mara, posted, task } = linked
  const otto = await workspace.person()
  const { taskId, message } = await posted(taskPayload({ review: { needed: 2 } }))
  expect(textOf(message.blocks)).toContain('2 people must give the same answer, 0 answered')
  await app.click(userId, message, 'Approve')
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('Your answer is recorded')
  await expect.poll(() => textOf(message.blocks)).toContain('2 people must give the same answer, 1 answered')
  await app.click(userId, message, 'Approve')
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('already answered')
  expect((await task(taskId)).status).toBe('open')
  await otto.post(`/tasks/${taskId}/handle`, { actionId: 'approve', revision: 1 })
  const { handled } = await task(taskId)
  expect(handled.answers).toMatchObject([
    { by: mara.email, via: 'slack' },
    { by: otto.email, via: 'web' },
  ])
  await runSweeps(service)
  await expect.poll(() => textOf(message.blocks)).toContain('(2 answers)')
})

test('while the database is slow, Slack gets its response in time and the person hears of the outcome', async () => {
  const { app, userId, posted, task } = linked
  const { taskId, message } = await posted()
  const body = app.clickBody(userId, message, 'Approve')
  await asOwner(service.databaseUrl, async (client) => {
    await client.query('BEGIN')
    await client.query('LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE')
    const startedAt = performance.now()
    expect((await app.send(body)).status).toBe(200)
    // Slack waits three seconds. The service does not wait for the lock; a busy machine adds to its
    // own limit.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await expect.poll(() => slack.explanationsTo(userId).join()).toContain('has recorded nothing yet')
    await client.query('COMMIT')
  })
  await expect.poll(() => slack.explanationsTo(userId).join()).toContain('your answer was recorded')
  expect((await task(taskId)).handled).toMatchObject({ actionId: 'approve', via: 'slack' })
})
