import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMcpSession } from '../support/mcp-session.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const draft = 'Dear Ines,\n\nyour refund takes three working days.\n\nHarbour Goods support\n'
const edited = draft.replace('three', 'five')
const diff = [
  '--- before\n+++ after\n@@ -1,5 +1,5 @@\n Dear Ines,\n \n',
  '-your refund takes three working days.\n+your refund takes five working days.\n',
  ' \n Harbour Goods support\n',
].join('')

const payload = (more: Record<string, unknown> = {}) => ({
  ...taskPayload(more),
  context: { data: { mail: { text: draft }, lines: [{ sku: 'A-1', count: 1 }], note: 'as it is' } },
  actions: [
    {
      id: 'send',
      title: 'Send',
      schema: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          lines: {
            type: 'array',
            items: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } } },
          },
          note: { type: 'string' },
          reason: { type: 'string' },
        },
      },
      ui: {
        text: { 'ui:widget': 'textarea', 'ui:options': { prefill: 'mail.text' } },
        lines: { 'ui:options': { prefill: 'lines' } },
        note: { 'ui:options': { prefill: 'note' } },
      },
    },
    { id: 'drop', title: 'Drop it' },
  ],
})
const answer = {
  actionId: 'send',
  data: { text: edited, lines: [{ sku: 'A-1', count: 2 }], note: 'as it is', reason: 'Bank times' },
}
const edits = [
  { field: 'text', source: 'mail.text', changed: true, before: draft, after: edited, diff },
  {
    field: 'lines',
    source: 'lines',
    changed: true,
    before: [{ sku: 'A-1', count: 1 }],
    after: [{ sku: 'A-1', count: 2 }],
    diff: [{ op: 'replace', path: '/0/count', value: 2 }],
  },
  { field: 'note', source: 'note', changed: false },
]

describe('what a person changed in prefilled fields', () => {
  let service: TestService
  let acme: TestWorkspace
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    acme = await service.workspace()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  const create = async (body: object): Promise<string> => {
    const created = await acme.agent.post('/tasks', body)
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body.taskId
  }

  test('reaches the agent with the answer: in the record, in lists, over MCP and in the callback', async () => {
    const taskId = await create(payload({ app: 'mail', callbackUrl: `${receiver.url}/answers` }))
    const handled = await acme.owner.post(`/tasks/${taskId}/handle`, answer)
    expect(handled.body.handled?.edits, JSON.stringify(handled.body.errors)).toEqual(edits)
    expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled.edits).toEqual(edits)
    expect((await acme.agent.get('/tasks?app=mail')).body.tasks[0].handled.edits).toEqual(edits)
    const session = await openMcpSession(service.url, acme.apiKey)
    const result = await session.call('get_task', { taskId })
    expect(result.structuredContent.handled.edits).toEqual(edits)
    const listed = await session.call('list_tasks', { app: 'mail' })
    expect(listed.structuredContent.tasks[0].handled.edits).toEqual(edits)
    const [call] = await receiver.calls(1)
    expect(JSON.parse(call!.body)).toMatchObject({ type: 'service/task_handled', edits })
  })

  test('is absent if no field was prefilled, or nobody saw the form', async () => {
    const dropped = await create(payload())
    await acme.owner.post(`/tasks/${dropped}/handle`, { actionId: 'drop' })
    const rejected = await create(payload())
    await acme.owner.post(`/tasks/${rejected}/reject`, { feedback: 'No.' })
    for (const taskId of [dropped, rejected])
      expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled).not.toHaveProperty('edits')
  })

  test('names a field that was left empty', async () => {
    const taskId = await create(payload())
    const { body } = await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'send', data: {} })
    expect(body.handled.edits[2]).toEqual({
      field: 'note',
      source: 'note',
      changed: true,
      before: 'as it is',
    })
  })

  test('has no text if it is longer than 64 KiB, and says so', async () => {
    const long = Array.from({ length: 4_000 }, (_, n) => `Sentence number ${n} of the agent.\n`).join('')
    const body = payload()
    body.context.data.mail.text = long
    const taskId = await create(body)
    const { handled } = (
      await acme.owner.post(`/tasks/${taskId}/handle`, {
        actionId: 'send',
        data: { text: long.replaceAll('agent', 'person'), note: 'as it is' },
      })
    ).body
    expect(handled.edits[0]).toEqual({ field: 'text', source: 'mail.text', changed: true, truncated: true })
    expect(handled.edits[1]).toMatchObject({ field: 'lines', changed: true })
    expect(handled.edits[1]).not.toHaveProperty('truncated')
  })

  test('is exported as pairs of before and after', async () => {
    const { body } = await acme.owner.get('/export?format=edits&app=mail')
    const pairs = (body as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(pairs).toMatchObject([
      { app: 'mail', actionId: 'send', field: 'text', source: 'mail.text', before: draft, after: edited },
      { field: 'lines', before: edits[1]!.before, after: edits[1]!.after, handledBy: acme.ownerEmail },
    ])
    const [task] = (await acme.owner.get('/export?format=jsonl&app=mail')).body.trimEnd().split('\n')
    expect(JSON.parse(task).handled.edits).toEqual(edits)
  })

  test('is in the CSV export: how much, and which fields, none of them a formula', async () => {
    const { body } = await acme.owner.get('/export?format=csv&app=mail')
    const [head, line] = (body as string).split('\r\n')
    expect(head).toMatch(/,editLevel,changedFields,ruleId$/)
    expect(line).toMatch(/,"light","text, lines",""$/)

    const fields = { '=SUM(A1)': { type: 'string' } }
    const ui = { '=SUM(A1)': { 'ui:options': { prefill: 'note' } } }
    const actions = [{ id: 'send', title: 'Send', schema: { type: 'object', properties: fields }, ui }]
    const row = async (data?: object) => {
      const taskId = await create({ ...payload({ app: 'csv' }), actions: data ? actions : payload().actions })
      const chosen = data ? { actionId: 'send', data } : { actionId: 'drop' }
      expect((await acme.owner.post(`/tasks/${taskId}/handle`, chosen)).status).toBe(200)
      const exported = (await acme.owner.get('/export?format=csv&app=csv')).body as string
      return exported.split('\r\n').find((text) => text.includes(taskId))
    }
    expect(await row({ '=SUM(A1)': 'another note' })).toMatch(/,"heavy","\[""=SUM\(A1\)""\]",""$/)
    expect(await row({ '=SUM(A1)': 'as it is' })).toMatch(/,"unchanged","",""$/)
    expect(await row()).toMatch(/,"","",""$/)
  })

  test('is counted per version: unchanged, light and heavy', async () => {
    const text = Array.from({ length: 10 }, (_, n) => `word${n}`)
    const changedWords = (count: number) => text.map((word, n) => (n < count ? 'other' : word)).join(' ')
    const answers = { 1: [0, 0, 1], 2: [2, 10] }
    for (const [version, changed] of Object.entries(answers).flatMap(([version, counts]) =>
      counts.map((count) => [version, count] as const),
    )) {
      const taskId = await create({
        ...payload({ app: 'counted', version }),
        context: { data: { note: text.join(' ') } },
      })
      const data = { note: changedWords(changed) }
      expect((await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'send', data })).status).toBe(200)
    }
    const { type } = taskPayload().task
    const { body } = await acme.owner.get(`/statistics?app=counted&type=${type}`)
    expect(body.edits).toEqual({ unchanged: 2, light: 1, heavy: 2 })
    expect(
      body.versions.map(({ version, edits }: { version: string; edits: object }) => [version, edits]),
    ).toEqual([
      ['2', { unchanged: 0, light: 0, heavy: 2 }],
      ['1', { unchanged: 2, light: 1, heavy: 0 }],
    ])
  })
})
