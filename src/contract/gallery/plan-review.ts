import type { Example } from './example.ts'

export const planReview: Example = {
  id: 'plan-review',
  title: 'Review a plan',
  about: 'A coding agent describes its plan. A few minutes of review can save hours of rework.',
  payload: {
    task: {
      type: 'plan-review',
      name: 'Plan: rate limits for the public API',
      description: 'Is this the right plan? I start when you approve and send status updates.',
    },
    app: 'coding-agent',
    version: '2026.11.2',
    context: {
      data: {
        plan: '## Goal\n\nNo key may use more than 50 requests per second.\n\n## Steps\n\n1. One token bucket per key, in memory, in `lib/request-limit.ts`.\n2. `429` with `Retry-After` when it is empty.\n3. A test that sends 300 requests and counts the 429 responses.\n\n## Not in this change\n\n- Limits across nodes: each process has its own buckets.\n\n## Question\n\nShould a *wait* of 50 seconds count once, or once per second?',
        estimate: { files: 4, lines: 180, hours: 2 },
      },
      ui: {
        plan: { 'ui:title': 'Plan', 'ui:widget': 'markdown' },
        estimate: { 'ui:title': 'Estimate', 'ui:widget': 'keyvalue' },
      },
    },
    actions: [
      {
        id: 'approve',
        title: 'Begin',
        outcome: 'positive',
        schema: {
          type: 'object',
          required: ['waits'],
          properties: {
            waits: {
              type: 'string',
              title: 'A wait counts',
              enum: ['once', 'each-second'],
              enumNames: ['Once', 'Once per second'],
            },
            remarks: { type: 'string', title: 'Remarks' },
          },
        },
        ui: { waits: { 'ui:widget': 'radio' }, remarks: { 'ui:widget': 'textarea' } },
      },
      {
        id: 'change',
        title: 'Change the plan',
        outcome: 'negative',
        schema: {
          type: 'object',
          required: ['changes'],
          properties: { changes: { type: 'string', title: 'What should be different?' } },
        },
        ui: { changes: { 'ui:widget': 'textarea' } },
      },
    ],
  },
}
