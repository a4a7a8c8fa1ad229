import { expect, test } from 'vitest'
import { z } from 'zod'
import { CreateTask } from './create-task.ts'
import { GetTask } from './task.ts'
import { CreateTasks } from './task-batch.ts'
import { SendUpdate } from './task-update.ts'
import { zodViolations } from './zod-violations.ts'

const task = { type: 'refund-approval', name: 'Refund?', description: 'It came back.' }
const actions = [{ id: 'approve', title: 'Approve' }]

function errorsOf(schema: z.ZodType, input: unknown): Record<string, string> {
  const { error } = schema.safeParse(input)
  return Object.fromEntries(zodViolations(error!, schema, input).map(({ path, message }) => [path, message]))
}

test('a number in a query is not asked for without quotes, because values of a query are always strings', () => {
  const messageFor = (waitSeconds: string) => {
    const input = { waitSeconds }
    return zodViolations(GetTask.safeParse(input).error!, GetTask, input, { isQuery: true })[0]!.message
  }
  expect(messageFor('abc')).toBe('Must be a number.')
  expect(messageFor('1.5')).toBe('Must be a whole number of at most 9 digits.')
  expect(messageFor('12345678901')).toBe('Must be a whole number of at most 9 digits.')
})

test('of 20,000 unknown fields at most fifty are reported', () => {
  const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, 0]))
  for (const schema of [z.strictObject({}), CreateTask]) {
    const { error } = schema.safeParse(fields)
    const violations = zodViolations(error!, schema, fields)
    expect(violations).toHaveLength(50)
    expect(violations.at(-1)!.message).toContain('more than 49 problems')
  }
})

test.each([
  [z.string().min(1), '', 'Must not be empty.'],
  [z.string().min(3), 'ab', 'Must be at least 3 characters.'],
  [z.string().max(2000), 'a'.repeat(2001), 'Must be at most 2,000 characters.'],
  [z.string().length(1), 'ab', 'Must be exactly 1 character.'],
  [z.string().min(8, 'Must be long'), 'short', 'Must be long.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'Must have at most 1 item.'],
  [z.number().min(1), 0, 'Must be at least 1.'],
  [z.number().max(3650), 4000, 'Must be at most 3,650.'],
  [z.number().gt(3), 3, 'Must be more than 3.'],
  [z.int(), 1.5, 'Must be a whole number.'],
  [z.number(), '5', 'Must be a number. Send it without quotes.'],
  [z.number(), 'soon', 'Must be a number, not a string.'],
  [z.boolean(), 'yes', 'Must be true or false, not a string.'],
  [z.string(), 3, 'Must be a string. Send it in quotes: "3".'],
  [z.string(), ['a'], 'Must be a string. Send the item itself, not a list.'],
  [z.string(), undefined, 'This field is required.'],
  [z.string(), null, 'This field is required.'],
  [z.object({}), '{}', 'Must be an object. Send the JSON itself, not JSON inside a string.'],
  [z.array(z.string()), '["a"]', 'Must be a list. Send the JSON itself, not JSON inside a string.'],
  [z.object({ a: z.string() }), [{ a: 'b' }], 'Must be an object. Send the item itself, not a list.'],
  [z.array(z.object({ a: z.string() })), { a: 'b' }, 'Must be a list. Send it inside a list.'],
  [z.array(z.object({ a: z.string() })), 'b', 'Must be a list. Send for example [{"a":"b"}].'],
  [z.enum(['urgent', 'high']), 'High', 'Must be one of "urgent", "high". Did you mean "high"?'],
  [z.enum(['urgent', 'high']), 'now', 'Must be one of "urgent", "high".'],
  [z.enum(['summary']), 'sumary', 'Must be "summary". Did you mean "summary"?'],
])('zod issues say what to send instead: case %#', (schema, value, message) => {
  expect(errorsOf(z.object({ field: schema }), { field: value })).toEqual({ field: message })
})

test.each([
  [
    'another spelling',
    CreateTask,
    { task, actions, callback_url: 'u' },
    { callback_url: 'Rename "callback_url" to "callbackUrl"' },
  ],
  [
    'a typo',
    CreateTask,
    { task, actions, prioritty: 'low' },
    { prioritty: 'Rename "prioritty" to "priority"' },
  ],
  [
    'a text under a name like that of a switch',
    CreateTask,
    { task, actions, question: 'Refund?', accepts_question: 'yes' },
    {
      question: 'Move "question" into "context.data" if the person should see it, otherwise remove it',
      accepts_question: 'Rename "accepts_question" to "acceptsQuestions"',
    },
  ],
  ['an abbreviation', GetTask, { wait: 5 }, { wait: 'Rename "wait" to "waitSeconds"' }],
  [
    'beside the free-form object',
    CreateTask,
    { task, actions, context: { order: 1 } },
    { 'context.order': 'Move "order" into "context.data"' },
  ],
  [
    'beside free-form data that is there',
    CreateTask,
    { task, actions, context: { order: 1, data: {} } },
    { 'context.order': 'Move "order" into "context.data"' },
  ],
  [
    'in the object above',
    CreateTask,
    { ...task, actions },
    { name: 'Move "name" into "task"', description: 'Move "description" into "task"' },
  ],
  [
    'with the name of its object',
    CreateTask,
    { task: { type: 'a', description: 'D' }, actions, taskName: 'N' },
    { taskName: 'Move "taskName" into "task" as "name"' },
  ],
  [
    'in the object below',
    CreateTask,
    { task: { ...task, actions } },
    { 'task.actions': 'Move "actions" to the top level' },
  ],
  ['under another name', SendUpdate, { text: 'm' }, { text: 'Rename "text" to "message"' }],
  [
    'inside a wrapper',
    SendUpdate,
    { input: { message: 'm' } },
    { input: 'Move the fields of "input" one level up' },
  ],
  [
    'for one of several missing fields',
    CreateTask,
    { task, actions: [{ label: 'a', value: 'b' }] },
    {
      'actions[0].label': 'Rename it to one of "id", "title", or remove it',
      'actions[0].value': 'Rename it to one of "id", "title", or remove it',
      'actions[0].id': /required/,
      'actions[0].title': /required/,
    },
  ],
  [
    'for people only',
    CreateTask,
    { task, actions, amount: 40 },
    { amount: 'Move "amount" into "context.data" if the person should see it, otherwise remove it' },
  ],
  [
    'that is there already',
    CreateTask,
    { task: { ...task, descripton: 'D' }, actions, context: { data: {} }, action: 1 },
    {
      'task.descripton': 'Remove it: "description" is already set',
      action: 'Remove it: "actions" is already set',
    },
  ],
  ['that nothing resembles', SendUpdate, { message: 'm', force: true }, { force: 'Remove it' }],
  [
    'named like an inherited property',
    SendUpdate,
    { message: 'm', toString: 1, constructor: 2 },
    { toString: 'Remove it', constructor: 'Remove it' },
  ],
] as [string, z.ZodType, unknown, Record<string, string | RegExp>][])(
  'an unknown field %s is not only refused',
  (_, schema, input, expected) => {
    const messages = Object.fromEntries(
      Object.entries(expected).map(([path, advice]) => [
        path,
        typeof advice === 'string' ? `Unknown field. ${advice}.` : expect.stringMatching(advice),
      ]),
    )
    expect(errorsOf(schema, input)).toEqual(messages)
  },
)

test('examples are built from what was sent if that is valid, and are valid', () => {
  expect(
    errorsOf(CreateTask, { task: 'Refund?', context: 'Order 58213', actions: ['approve', 'x'.repeat(90)] }),
  ).toEqual({
    task: 'Must be an object. Send for example {"name":"Refund?","description":"Refund?"}.',
    context: 'Must be an object. Send for example {"data":{"text":"Order 58213"}}.',
    'actions[0]': 'Must be an object. Send for example {"id":"approve","title":"approve"}.',
    'actions[1]': 'Must be an object. Send for example {"id":"approve","title":"Approve"}.',
  })
  expect(errorsOf(CreateTask, { task, actions: [] })).toEqual({
    actions: 'Must have at least 1 item. Send for example [{"id":"approve","title":"Approve"}].',
  })
})

test('a missing field is reported unless an advice provides it', () => {
  expect(errorsOf(CreateTasks, { task, actions })).toEqual({
    tasks: 'This field is required.',
    task: 'Unknown field. Rename "task" to "tasks".',
    actions: 'Unknown field. Remove it.',
  })
  expect(errorsOf(CreateTasks, { tasks: 'refund' })).toEqual({ tasks: 'Must be a list, not a string.' })
})

test('an item of a list that was sent as text is not called missing', () => {
  expect(errorsOf(GetTask, { include: 'context,history' })).toEqual({
    'include[1]': 'Must be one of "context", "actions", "updates", "revisions".',
  })
})

test('long names, and many of them, are not compared', () => {
  const fields = Object.fromEntries(
    Array.from({ length: 9_000 }, (_, i) => [`${'callback'.repeat(12)}${i}`, 0]),
  )
  const messages = Object.values(errorsOf(CreateTask, { task, actions, ...fields }))
  expect(JSON.stringify(messages).length).toBeLessThan(20_000)
})
