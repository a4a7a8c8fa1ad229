import { expect } from 'vitest'

// What agents want, and the call a model might write for it. `mistake` says what is wrong with the
// draft; the stand-in does not see it.

/** An open task that the test creates for the intent. */
type Given = { taskId: string; url: string }

export type Intent = {
  name: string
  tool: string
  mistake?: string
  draft: object | ((given: Given) => object)
  /** What a person does while the agent waits. Nothing: nobody answers. */
  person?: { actionId: string; data?: object } | { feedback: string } | 'deadline' | 'later'
  /** What another call has created before, with the same idempotency key. */
  before?: object
  /** The same call is made twice. */
  twice?: boolean
  maxWaitSeconds?: number
  /**
   * Part of the record of the task in the end, with context and actions, or of the result of tools
   * that read.
   */
  expected: object
}

const task = {
  type: 'refund-approval',
  name: 'Refund €40 to Ben?',
  description: 'The parcel came back on day 34.',
}
const approve = { id: 'approve', title: 'Refund' }
const decline = { id: 'decline', title: 'Decline' }
const actions = [approve, decline]
const approved = { status: 'handled', handled: { actionId: 'approve', decidedBy: 'human' } }
const byApproving = { person: { actionId: 'approve' } }

const sending: Intent[] = [
  {
    name: 'Have a refund approved',
    draft: { task, context: { data: { order: 58213 } }, actions },
    ...byApproving,
    expected: { ...task, ...approved, context: { data: { order: 58213 } }, actions },
  },
  {
    name: 'Ask a question, with nothing but its name',
    draft: { task: { name: 'Which plan has Ben?' } },
    ...byApproving,
    expected: { name: 'Which plan has Ben?', ...approved },
  },
  {
    name: 'Have a draft reply corrected in a form',
    draft: {
      task: { type: 'reply-review', name: 'Send this reply?', description: 'Please correct what is wrong.' },
      context: { data: { reply: 'Hello Ben' } },
      actions: [
        {
          id: 'send',
          title: 'Send',
          schema: { type: 'object', required: ['reply'], properties: { reply: { type: 'string' } } },
          ui: { reply: { 'ui:widget': 'textarea', 'ui:options': { prefill: 'reply' } } },
        },
      ],
    },
    person: { actionId: 'send', data: { reply: 'Dear Ben' } },
    expected: { status: 'handled', handled: { actionId: 'send', data: { reply: 'Dear Ben' } } },
  },
  {
    name: 'Have two answers compared',
    mistake: 'an unknown widget, a hint for a missing field (warnings)',
    draft: {
      task: { type: 'answer-comparison', name: 'Which is better?', description: 'Choose one.' },
      context: {
        data: {
          answers: [
            { name: 'A', response: 'One' },
            { name: 'B', response: 'Two' },
          ],
          note: 'Short.',
        },
        ui: { answers: { 'ui:widget': 'compare' }, note: { 'ui:widget': 'sparkle' }, prompt: {} },
      },
      actions: [approve],
    },
    ...byApproving,
    expected: { ...approved, context: { ui: { answers: { 'ui:widget': 'compare' } } } },
  },
  {
    name: 'An urgent decision that takes effect if nobody answers',
    draft: {
      task,
      actions,
      app: 'shop',
      version: '2026.11.3',
      priority: 'urgent',
      expiresInSeconds: 60,
      onExpire: { actionId: 'decline' },
    },
    person: 'deadline',
    expected: {
      app: 'shop',
      version: '2026.11.3',
      priority: 'urgent',
      status: 'handled',
      handled: { actionId: 'decline', decidedBy: 'timeout' },
    },
  },
  {
    name: 'Nobody answers: hand over the link and come back',
    draft: { task, actions },
    maxWaitSeconds: 1,
    person: 'later',
    expected: approved,
  },
  {
    name: 'The person rejects the request',
    draft: { task, actions },
    person: { feedback: 'Ask the warehouse.' },
    expected: { handled: { actionId: 'service:reject-request', data: { feedback: 'Ask the warehouse.' } } },
  },
  {
    name: 'Have the answer pushed',
    mistake: '2026 protocol: no session to push to (warning)',
    draft: { task, actions, delivery: 'sse' },
    ...byApproving,
    expected: { delivery: 'sse' },
  },
  {
    name: 'Ask the same twice and get one task',
    draft: { task, actions, threadId: 'order-58213', idempotencyKey: 'refund-58213' },
    twice: true,
    ...byApproving,
    expected: { threadId: 'order-58213', ...approved },
  },
  {
    name: 'Ask something else with a used key',
    mistake: 'an idempotencyKey that another call has used',
    before: { task, actions, idempotencyKey: 'refund-1' },
    draft: { task: { ...task, name: 'Refund €90 to Eva?' }, actions, idempotencyKey: 'refund-1' },
    ...byApproving,
    expected: { name: 'Refund €90 to Eva?', ...approved },
  },
  {
    name: 'Be called back',
    mistake: '`delivery: "callback"` without `callbackUrl`',
    draft: { task, actions, delivery: 'callback' },
    expected: { delivery: 'callback', status: 'open' },
  },
  {
    name: 'Be called back, in snake case',
    mistake: '`callback_url`, `expires_in_seconds`',
    draft: { task, actions, callback_url: 'https://example.com/hook', expires_in_seconds: 3600 },
    expected: { delivery: 'callback', status: 'open', expiresAt: expect.any(String) },
  },
  {
    name: 'Show the facts',
    mistake: '`context: {"order": 1}` instead of `context.data`',
    draft: { task, context: { order: 1, customer: { name: 'Ben' } }, actions },
    ...byApproving,
    expected: { ...approved, context: { data: { order: 1, customer: { name: 'Ben' } } } },
  },
  {
    name: 'Offer choices by name',
    mistake: '`actions: ["approve", "decline"]`',
    draft: { task, actions: ['approve', 'decline'] },
    ...byApproving,
    expected: { ...approved, actions: [{ id: 'approve' }, { id: 'decline' }] },
  },
  {
    name: 'Offer one choice',
    mistake: '`actions` is one action, not a list',
    draft: { task, actions: approve },
    ...byApproving,
    expected: { ...approved, actions: [approve] },
  },
  {
    name: 'Send a flat call',
    mistake: '`name` and `description` at the top level',
    draft: { ...task, actions },
    ...byApproving,
    expected: { ...task, ...approved },
  },
  {
    name: 'Send everything inside the task',
    mistake: '`task` contains `actions`, `context` and `priority`',
    draft: { task: { ...task, actions, context: { data: { order: 2 } }, priority: 'low' } },
    ...byApproving,
    expected: { ...task, ...approved, priority: 'low', context: { data: { order: 2 } } },
  },
  {
    name: 'Send JSON inside strings',
    mistake: '`task`, `context` and `actions` are strings',
    draft: {
      task: JSON.stringify(task),
      context: JSON.stringify({ data: { order: 3 } }),
      actions: JSON.stringify(actions),
    },
    ...byApproving,
    expected: { ...task, ...approved, context: { data: { order: 3 } } },
  },
  {
    name: 'Use other words',
    mistake: '`title`, `options` and `label` for `name`, `actions` and `title`',
    draft: {
      task: { type: task.type, title: task.name, description: task.description },
      options: [{ id: 'approve', label: 'Refund' }],
    },
    ...byApproving,
    expected: { ...task, ...approved, actions: [approve] },
  },
  {
    name: 'Choose values that do not exist',
    mistake:
      '`priority: "High"`, `delivery: "polling"`, `outcome: "postive"`, `onExpire` for an unknown action',
    draft: {
      task,
      actions: [{ ...approve, outcome: 'postive' }],
      priority: 'High',
      delivery: 'polling',
      expiresInSeconds: 600,
      onExpire: { actionId: 'aprove' },
    },
    ...byApproving,
    expected: {
      ...approved,
      priority: 'high',
      delivery: 'poll',
      actions: [{ ...approve, outcome: 'positive' }],
    },
  },
  {
    name: 'Mix up numbers and strings',
    mistake: '`version: 3`, `expiresInSeconds: "3600"`, and an unknown `amount`',
    draft: { task, actions, version: 3, expiresInSeconds: '3600', amount: 40 },
    ...byApproving,
    expected: { ...approved, version: '3', expiresAt: expect.any(String), context: { data: { amount: 40 } } },
  },
  {
    name: 'Leave out with null and ""',
    mistake: 'null and "" for all optional arguments',
    draft: {
      task,
      actions,
      context: null,
      app: '',
      version: null,
      callbackUrl: '',
      onExpire: null,
      priority: '',
    },
    ...byApproving,
    expected: { ...approved, app: 'default', priority: 'normal', delivery: 'poll' },
  },
  {
    name: 'Name the type in words',
    mistake: 'a type that is not a slug, a second one that differs, a reserved and a repeated action id',
    draft: {
      task: { ...task, type: 'Refund approval' },
      type: 'refund',
      actions: [approve, { ...decline, id: 'service:decline' }, { ...decline, id: 'approve' }],
    },
    ...byApproving,
    expected: { ...approved, type: 'refund-approval', actions: [approve, decline, { title: 'Decline' }] },
  },
  {
    name: 'Write an invalid form',
    mistake:
      'a form without `type` and `properties`, one that is a single field, an unknown type, an empty enum, a keyword that is not enforced, a misspelled one, an undeclared required field',
    draft: {
      task,
      actions: [
        {
          id: 'approve',
          title: 'Refund',
          schema: {
            required: ['reason'],
            reason: { type: 'text', maxLenght: 200 },
            rating: { type: 'integer', enum: [], contains: 1 },
          },
        },
        { ...decline, schema: { type: 'object', required: ['wy'], properties: { why: {} } } },
        { id: 'later', title: 'Ask later', schema: { type: 'string', format: 'date' } },
      ],
    },
    person: { actionId: 'approve', data: { reason: 'Damaged.', rating: 4 } },
    expected: {
      handled: { data: { reason: 'Damaged.', rating: 4 } },
      actions: [
        { schema: { required: ['reason'], properties: { reason: { type: 'string', maxLength: 200 } } } },
        { schema: { required: ['why'] } },
        { schema: { properties: { answer: { type: 'string', format: 'date' } } } },
      ],
    },
  },
].map((intent) => ({ tool: 'send_to_human', ...intent }) as Intent)

const others: Intent[] = [
  {
    name: 'Read a task',
    tool: 'get_task',
    mistake: '`task_id`, `wait`; a link for an id',
    draft: ({ url }) => ({ task_id: url, wait: '0', include: 'actions' }),
    expected: { status: 'open', actions: [{ id: 'approve' }, { id: 'decline' }] },
  },
  {
    name: 'Report progress',
    tool: 'send_update',
    mistake: '`text` for `message`, `level: "warn"`, `progress` above 100',
    draft: ({ taskId }) => ({ taskId, text: 'Checking the order', level: 'warn', progress: 400 }),
    expected: { latestUpdate: { message: 'Checking the order', level: 'warning', progress: 100 } },
  },
  {
    name: 'Withdraw a task',
    tool: 'cancel_task',
    mistake: '`id` for `taskId`',
    draft: ({ taskId }) => ({ id: taskId, reason: 'The customer withdrew.' }),
    expected: { status: 'cancelled', cancelled: { reason: 'The customer withdrew.' } },
  },
  {
    name: 'List what was cancelled since a date',
    tool: 'list_tasks',
    mistake: '`created_after` without a time, `status: "canceled"`',
    draft: () => ({ status: 'canceled', created_after: '2026-01-01', limit: '5' }),
    expected: { tasks: [{ status: 'cancelled' }] },
  },
  {
    name: 'Find a task',
    tool: 'search_tasks',
    mistake: '`arguments` around the arguments, a list for a string',
    draft: () => ({ arguments: { query: ['refund eva'] } }),
    expected: { tasks: [{ name: 'Refund €90 to Eva?' }] },
  },
  {
    name: 'Read the feedback before improving the prompt',
    tool: 'get_feedback_analysis',
    mistake: '`task_type` for `type`',
    draft: () => ({ task_type: 'refund-approval' }),
    expected: { found: false },
  },
]

export const intents: Intent[] = [...sending, ...others]
