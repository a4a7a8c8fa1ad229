import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type McpSession, openMcpSession } from '../support/mcp-session.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const unknownTask = 'tsk_01k9ztqv7e4m8c2n5w6x3y0abd'
const payload = taskPayload()
const [approve] = payload.actions
const withTask = (task: unknown) => ({ ...payload, task })
const withAction = (more: object) => ({ ...payload, actions: [{ ...approve, ...more }] })

const required = 'This field is required.'
const unknown = 'Unknown field. Remove it.'
const anId = /^Must be an id such as tsk_/
const notInString = /Send the JSON itself, not JSON inside a string\.$/
const unquoted = 'Must be a number. Send it without quotes.'
const noNumber = 'Must be a number, not a string.'
const examples = {
  task: /^This field is required\. Send for example \{"type":"refund-approval",/,
  actions: 'This field is required. Send for example [{"id":"approve","title":"Approve"}].',
}

type Mistake = [name: string, tool: string, args: unknown, errors: Record<string, string | RegExp>]

/** Typical mistakes of models, and the message expected at each path. */
const wrongArguments: Mistake[] = [
  ['nothing at all', 'send_to_human', {}, examples],
  ['JSON inside a string', 'send_to_human', withTask(JSON.stringify(payload.task)), { task: notInString }],
  [
    'JSON inside a string, a list',
    'send_to_human',
    { ...payload, actions: JSON.stringify(payload.actions) },
    { actions: notInString },
  ],
  [
    'JSON inside strings, further down',
    'send_to_human',
    {
      ...withAction({ schema: '{"type":"object"}', ui: '{}' }),
      context: { data: '{"order":1}' },
      metadata: '{"a":1}',
    },
    {
      'actions[0].schema': notInString,
      'actions[0].ui': notInString,
      'context.data': notInString,
      metadata: notInString,
    },
  ],
  [
    'an array for an object',
    'send_to_human',
    withTask([payload.task]),
    { task: 'Must be an object. Send the item itself, not a list.' },
  ],
  [
    'an object for an array',
    'send_to_human',
    { ...payload, actions: approve },
    { actions: 'Must be a list. Send it inside a list.' },
  ],
  [
    'an array for free-form data',
    'send_to_human',
    { ...payload, context: { data: [1] } },
    { 'context.data': 'Must be an object, not a list.' },
  ],
  [
    'no data in the context',
    'send_to_human',
    { ...payload, context: { ui: {} } },
    { 'context.data': required },
  ],
  [
    'names for actions',
    'send_to_human',
    { ...payload, actions: ['approve'] },
    { 'actions[0]': 'Must be an object. Send for example {"id":"approve","title":"approve"}.' },
  ],
  ['no actions', 'send_to_human', { ...payload, actions: [] }, { actions: /at least 1 item/ }],
  [
    'fields in the wrong place',
    'send_to_human',
    {
      ...payload,
      task: { type: 'a', description: 'D', priority: 'high' },
      name: 'N',
      callback_url: 'https://example.com',
      context: { order: 1 },
    },
    {
      name: 'Unknown field. Move "name" into "task".',
      'task.priority': 'Unknown field. Move "priority" to the top level.',
      callback_url: 'Unknown field. Rename "callback_url" to "callbackUrl".',
      'context.order': 'Unknown field. Move "order" into "context.data".',
    },
  ],
  [
    'invented values; the message lists the valid ones',
    'send_to_human',
    { ...withAction({ outcome: 'good' }), priority: 'critical', delivery: 'Callbacks' },
    {
      'actions[0].outcome': 'Must be one of "positive", "neutral", "negative".',
      priority: 'Must be one of "urgent", "high", "normal", "low".',
      delivery: 'Must be one of "poll", "sse", "callback". Did you mean "callback"?',
    },
  ],
  [
    'a string for a number',
    'send_to_human',
    { ...payload, expiresInSeconds: '3600' },
    { expiresInSeconds: unquoted },
  ],
  [
    'a number out of bounds',
    'send_to_human',
    { ...payload, expiresInSeconds: 5 },
    { expiresInSeconds: /at least 60/ },
  ],
  [
    'a type that is not a slug',
    'send_to_human',
    withTask({ ...payload.task, type: 'Refund approval' }),
    { 'task.type': /Send for example "refund-approval"\.$/ },
  ],
  [
    'a name that is too long',
    'send_to_human',
    withTask({ ...payload.task, name: 'x'.repeat(201) }),
    { 'task.name': /at most 200 characters/ },
  ],
  [
    'a reserved action',
    'send_to_human',
    withAction({ id: 'service:mark-done' }),
    { 'actions[0].id': /reserved\. Send for example "mark-done"\.$/ },
  ],
  ['no type anywhere', 'send_to_human', withTask({ name: 'N', description: 'D' }), { 'task.type': required }],
  [
    'two types that differ',
    'send_to_human',
    { ...payload, type: 'another' },
    { type: 'Differs from task.type. Remove it.' },
  ],
  [
    'an action twice',
    'send_to_human',
    { ...payload, actions: [approve, approve] },
    { 'actions[1].id': /Ids must be unique.*Send for example "approve-2"\.$/ },
  ],
  [
    'an invalid form',
    'send_to_human',
    withAction({ schema: { type: 'array', properties: { a: { type: 'text' } } } }),
    {
      'actions[0].schema': /type "object"/,
      'actions[0].schema.properties.a.type': /Did you mean "string"\?$/,
    },
  ],
  [
    'an unknown assignee',
    'send_to_human',
    { ...payload, assignTo: 'nobody@example.com' },
    { assignTo: /a member, or group:<slug>, of this workspace/ },
  ],
  [
    'a name for an address',
    'send_to_human',
    { ...payload, assignTo: 'Olga' },
    { assignTo: 'Must be the email address of a member, or group:<slug>.' },
  ],

  ['no id', 'get_task', {}, { taskId: required }],
  [
    'a link to the task',
    'get_task',
    { taskId: `https://example.com/w/wsp_1/inbox/${unknownTask}` },
    { taskId: `Must be the id alone. Send for example "${unknownTask}".` },
  ],
  [
    'another spelling of the id’s name',
    'get_task',
    { task_id: unknownTask },
    { task_id: 'Unknown field. Rename "task_id" to "taskId".' },
  ],
  ['null for what is required', 'get_task', { taskId: null }, { taskId: required }],
  [
    'a number for an id',
    'get_task',
    { taskId: 42 },
    { taskId: 'Must be a string. Send it in quotes: "42".' },
  ],
  ['an id of something else', 'get_task', { taskId: unknownTask.replace('tsk', 'evt') }, { taskId: anId }],
  ['a list of ids', 'get_task', { taskId: [unknownTask] }, { taskId: /Send the item itself, not a list/ }],
  [
    'a word for a number',
    'get_task',
    { taskId: unknownTask, waitSeconds: 'soon' },
    { waitSeconds: noNumber },
  ],
  [
    'half a second',
    'get_task',
    { taskId: unknownTask, waitSeconds: 0.5 },
    { waitSeconds: 'Must be a whole number.' },
  ],
  [
    'an invented part',
    'get_task',
    { taskId: unknownTask, include: ['history'] },
    { 'include[0]': 'Must be one of "context", "actions", "updates", "revisions".' },
  ],
  [
    'an object for a list',
    'get_task',
    { taskId: unknownTask, include: { context: true } },
    { include: 'Must be a list, not an object.' },
  ],

  ['no message', 'send_update', { taskId: unknownTask }, { message: required }],
  [
    'an empty message',
    'send_update',
    { taskId: unknownTask, message: ' ' },
    { message: 'Must contain a visible character.' },
  ],
  [
    'three at once',
    'send_update',
    { taskId: 'mine', message: { text: 'm' }, level: 'critical', progress: '50' },
    {
      taskId: anId,
      message: 'Must be a string, not an object.',
      level: 'Must be one of "info", "working", "warning", "error", "success".',
      progress: unquoted,
    },
  ],
  [
    'more than 100 percent',
    'send_update',
    { taskId: unknownTask, message: 'm', progress: 101 },
    { progress: /at most 100/ },
  ],

  [
    'a list for a reason',
    'cancel_task',
    { taskId: unknownTask, reason: ['late'], force: true },
    { reason: 'Must be a string. Send the item itself, not a list.', force: unknown },
  ],
  ['no id', 'cancel_task', { reason: 'late' }, { taskId: required }],

  [
    'invalid filters',
    'list_tasks',
    { status: 'done', limit: 'ten', createdAfter: 'yesterday', sort: 'name', priority: 1 },
    {
      status: 'Must be one of "open", "handled", "cancelled", "expired".',
      limit: noNumber,
      createdAfter: /Send for example "2026-11-15T09:30:00Z"\.$/,
      sort: unknown,
      priority: /"urgent"/,
    },
  ],
  [
    'a timestamp without a time zone',
    'list_tasks',
    { createdBefore: '2026-11-15T09:30:00' },
    { createdBefore: /with a time zone\. Send for example "2026-11-15T09:30:00Z"\.$/ },
  ],
  ['an invalid cursor', 'list_tasks', { cursor: 'page-2' }, { cursor: /./ }],
  ['a filter for people only', 'list_tasks', { handledBy: 'ada@example.com' }, { handledBy: unknown }],

  ['no query', 'search_tasks', {}, { query: required }],
  ['an empty query', 'search_tasks', { query: '' }, { query: 'Must contain a visible character.' }],
  [
    'a list of words',
    'search_tasks',
    { query: ['refund'], limit: {} },
    { query: /Must be a string/, limit: 'Must be a number, not an object.' },
  ],
  [
    'a query that is too long',
    'search_tasks',
    { query: 'x'.repeat(201) },
    { query: /at most 200 characters/ },
  ],

  ['no type', 'get_feedback_analysis', { app: 'shop' }, { type: required }],
  [
    'a type that is not a slug',
    'get_feedback_analysis',
    { type: 'a b', days: 7 },
    { type: /Must be a slug.*Send for example "a-b"\.$/, days: unknown },
  ],
  [
    'an object for the pair',
    'get_feedback_analysis',
    { type: { name: 'refund' } },
    { type: 'Must be a string, not an object.' },
  ],
]

describe('arguments of tools', () => {
  let service: TestService
  let acme: TestWorkspace
  let session: McpSession
  let taskId: string
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    session = await openMcpSession(service.url, acme.apiKey)
    taskId = (await acme.agent.post('/tasks', taskPayload())).body.taskId
  })
  afterAll(() => service.stop())

  describe('that are wrong get a result that names each path and what to send instead', () => {
    test.each(wrongArguments)('%s (%s)', async (_, tool, args, errors) => {
      const result = await session.call(tool, args)
      expect(result).toEqual({ isError: true, content: [{ type: 'text', text: expect.any(String) }] })
      const refusal = JSON.parse(result.content[0].text)
      expect(refusal).toMatchObject({ code: 'invalid_request', detail: expect.stringMatching(/\.$/) })
      const messages = Object.fromEntries(
        refusal.errors.map(({ path, message }: { path: string; message: string }) => [path, message]),
      )
      expect(Object.keys(messages).sort()).toEqual(Object.keys(errors).sort())
      for (const [path, message] of Object.entries(errors)) {
        if (typeof message === 'string') expect(messages[path]).toBe(message)
        else expect(messages[path]).toMatch(message)
      }
    })

    test('every tool is covered above', async () => {
      const { tools } = (await session.request('tools/list')).body.result
      expect(new Set(wrongArguments.map(([, tool]) => tool))).toEqual(
        new Set(tools.map(({ name }: { name: string }) => name)),
      )
    })

    test('rejected calls created nothing', async () => {
      const { structuredContent } = await session.call('list_tasks', {})
      expect(structuredContent.tasks.map((task: { taskId: string }) => task.taskId)).toEqual([taskId])
    })

    test('arguments that are not an object are an invalid request, and the error says where', async () => {
      for (const args of [[unknownTask], JSON.stringify({ taskId: unknownTask })]) {
        const { body } = await session.request('tools/call', { name: 'get_task', arguments: args })
        expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('arguments') })
      }
    })
  })
})
