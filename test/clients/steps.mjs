import assert from 'node:assert/strict'

const tools = [
  'cancel_task',
  'get_feedback_analysis',
  'get_task',
  'list_tasks',
  'search_tasks',
  'send_to_human',
  'send_update',
]

/**
 * Tests one client. `connect(url, headers)` returns `list()`, the names of the tools; `call(name, args)`, the text blocks of a
 * result; `read(uri)`, the text of a resource, if the client can read resources; and `close()`.
 */
export async function testClient(connect) {
  const client = await connect(process.env.MCP_URL, { 'X-Api-Key': process.env.HANDRAIL_API_KEY })
  assert.deepEqual((await client.list()).sort(), tools)
  const [created, hint] = await client.call('send_to_human', {
    task: { type: 'refund-approval', name: 'Refund €40?', description: 'The parcel came back.' },
    actions: [
      { id: 'approve', title: 'Approve' },
      {
        id: 'decline',
        title: 'Decline',
        schema: { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] },
      },
    ],
  })
  const { taskId, delivery } = JSON.parse(created)
  assert.equal(delivery, 'poll')
  assert.match(hint, new RegExp(taskId))
  console.log(`waiting for ${taskId}`)
  const [answer] = await client.call('get_task', { taskId, waitSeconds: 50 })
  const { status, handled } = JSON.parse(answer)
  assert.equal(status, 'handled')
  assert.equal(handled.actionId, 'decline')
  assert.deepEqual(handled.data, { reason: 'Too late' })
  if (client.read) assert.equal(JSON.parse(await client.read(`task://${taskId}`)).status, 'handled')
  else assert.equal(JSON.parse((await client.call('list_tasks', { limit: 1 }))[0]).tasks[0].taskId, taskId)
  await client.close()
  console.log('client passed')
}
