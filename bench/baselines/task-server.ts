import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

// The baseline of the REST API: only node:http and pg. Creating a task is one transaction with an
// outbox row, answering it is another. bench/frame/task-baseline.ts starts it with the URL of a
// database and a pool size.

const pool = new pg.Pool({ connectionString: process.argv[2], max: Number(process.argv[3]) })

async function inTransaction(...statements: [string, unknown[]][]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    for (const [text, values] of statements) await client.query(text, values)
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

async function create(body: string) {
  const task = JSON.parse(body)
  const id = randomUUID()
  await inTransaction(
    ['INSERT INTO task (id, name, body) VALUES ($1, $2, $3)', [id, task.task.name, body]],
    ['INSERT INTO outbox (task_id, body) VALUES ($1, $2)', [id, body]],
  )
  return { taskId: id }
}

async function answer(id: string, body: string) {
  JSON.parse(body)
  await inTransaction(
    ['UPDATE task SET answer = $2, answered_at = now() WHERE id = $1 AND answer IS NULL', [id, body]],
    ['INSERT INTO outbox (task_id, body) VALUES ($1, $2)', [id, body]],
  )
  return { taskId: id }
}

async function get(id: string) {
  const { rows } = await pool.query('SELECT * FROM task WHERE id = $1', [id])
  return rows[0]
}

async function inbox() {
  const { rows } = await pool.query(
    'SELECT id, name, created_at FROM task WHERE answer IS NULL ORDER BY created_at LIMIT 50',
  )
  return rows
}

function handle({ method, url = '/' }: IncomingMessage, body: string): Promise<unknown> {
  const [, id = '', action] = url.split('/')
  if (method === 'POST') return action ? answer(id, body) : create(body)
  return id === 'inbox' ? inbox() : get(id)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    handle(request, Buffer.concat(chunks).toString()).then(
      (result) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result)),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
