import pg from 'pg'

/**
 * Creates tasks that people answered in the last 30 days, of the app "shop" and the type "refund":
 * five versions, eight people, fields in context and metadata, a reason for each rejection and a
 * comment on each approval.
 */
export async function fillAnswers(databaseUrl: string, workspaceId: string, answers: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'large data' })
  await client.connect()
  try {
    await client.query(
      `INSERT INTO task_contents (task_id, workspace_id, context, actions)
       SELECT 'tsk_' || lpad(i::text, 26, '0'), $1,
         json_build_object('data', json_build_object('order', i, 'country', ($4::text[])[1 + i % 7], 'channel',
           ($5::text[])[1 + i % 3], 'isUrgent', i % 11 = 0, 'text', repeat('The parcel came back. ', 20)))::json, $3
       FROM generate_series(1, $2) i`,
      [workspaceId, answers, actions, countries, channels],
    )
    await client.query(
      `INSERT INTO tasks (id, workspace_id, thread_id, status, app, type, name, description, version, priority, delivery,
         metadata, created_by, created_at, updated_at, ended_at, action_id, action_title, answer, handled_by, decided_by, via)
       SELECT id, $1, id, 'handled', 'shop', 'refund', 'Refund ' || i, 'The parcel came back.', '1.' || i * 5 / $2, 2, 'poll',
         json_build_object('model', 'model-' || i % 4, 'batch', i / 100), 'key_bench',
         ended - make_interval(secs => exp(2 + 8 * random())), ended, ended, action, initcap(action),
         CASE action WHEN 'approve' THEN json_build_object('score', i % 5, 'comment',
             ($6::text[])[1 + i % 5] || ' ' || ($6::text[])[1 + i % 3] || ' ' || md5(i::text))
           ELSE json_build_object('kind', ($4::text[])[1 + i % 4], 'reason', ($5::text[])[1 + i % 7] || ' ' || md5(i::text)) END,
         'person-' || i % 8 || '@example.com', 'human', 'web'
       FROM (SELECT i, 'tsk_' || lpad(i::text, 26, '0') AS id, CASE WHEN i % 6 = 0 THEN 'reject' ELSE 'approve' END AS action,
               now() - make_interval(secs => (1 - i::float / $2) * $3) AS ended FROM generate_series(1, $2) i) answers`,
      [workspaceId, answers, 29.9 * 86_400, kinds, reasons, comments],
    )
  } finally {
    await client.end()
  }
}

const countries = ['CH', 'DE', 'FR', 'IT', 'AT', 'ES', 'PT']
const channels = ['mail', 'chat', 'phone']
const comments = [
  'Everything was in order, and the tone is right.',
  'I checked the invoice and the photos.',
  'Fine, but ask for the order number next time.',
  'The customer was told by phone.',
  'Clear and short, as it should be.',
]
const kinds = ['Amount', 'Policy', 'Fraud', 'Other']
const reasons = [
  'The amount does not match the invoice',
  'Wrong currency, the customer pays in francs',
  'No proof that the parcel came back',
  'This was refunded last week already',
  'The customer asked for a voucher instead',
  'Ask for photos of the damage first',
  'Too late, the period is over',
]
const actions = JSON.stringify([
  {
    id: 'approve',
    title: 'Approve',
    schema: {
      type: 'object',
      properties: {
        score: { type: 'integer', title: 'Score' },
        comment: { type: 'string', title: 'Comment' },
      },
    },
  },
  {
    id: 'reject',
    title: 'Reject',
    schema: {
      type: 'object',
      properties: {
        kind: { type: 'string', title: 'Kind', enum: kinds },
        reason: { type: 'string', title: 'Why?' },
      },
    },
  },
])
