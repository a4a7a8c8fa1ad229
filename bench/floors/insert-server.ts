import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

// The floor of `POST /api/v1/tasks`: only node:http and pg. It parses JSON and writes a task and an outbox row in one
// transaction. Started by bench/rows/create-task.ts with the URL of its database.

const pool = new pg.Pool({ connectionString: process.argv[2], max: Number(process.argv[3]) })

async function insert(body: string): Promise<string> {
  const task = JSON.parse(body)
  const id = randomUUID()
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('INSERT INTO task (id, name, body) VALUES ($1, $2, $3)', [id, task.task.name, body])
    await client.query('INSERT INTO outbox (task_id, body) VALUES ($1, $2)', [id, body])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  return id
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    insert(Buffer.concat(chunks).toString()).then(
      (id) => response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id })),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
