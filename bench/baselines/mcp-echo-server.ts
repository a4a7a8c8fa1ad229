import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import pg from 'pg'
import { z } from 'zod'

// The baseline of the rows send-to-human and get-task: the MCP SDK as documented, with two tools that
// echo their arguments after one SQL statement. For clients of protocol 2025-11-25 it keeps a
// session and its server in memory; those of 2026-07-28 get one server per request.
// bench/frame/tool-calls.ts starts it with the URL of a database and a pool size.

const pool = new pg.Pool({ connectionString: process.argv[2], max: Number(process.argv[3]) })

function echoServer(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1' })
  const toolResult = (result: Record<string, unknown>) => ({
    content: [{ type: 'text' as const, text: JSON.stringify(result) }],
    structuredContent: result,
  })
  const anyObject = z.looseObject({})
  server.registerTool(
    'send_to_human',
    { inputSchema: z.object({ task: anyObject, context: anyObject, actions: z.array(anyObject) }) },
    async (args) => {
      const id = randomUUID()
      await pool.query('INSERT INTO task (id, body) VALUES ($1, $2)', [id, JSON.stringify(args)])
      return toolResult({ taskId: id, ...args })
    },
  )
  server.registerTool('get_task', { inputSchema: z.object({ taskId: z.string() }) }, async ({ taskId }) => {
    const { rows } = await pool.query('SELECT id, body, created_at FROM task WHERE id = $1', [taskId])
    return toolResult({ taskId, ...rows[0] })
  })
  return server
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
const modern = createMcpHandler(echoServer, { legacy: 'reject' })

async function legacy(request: Request, parsedBody: unknown): Promise<Response> {
  const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
  if (known) return await known.handleRequest(request, { parsedBody })
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
  })
  await echoServer().connect(transport)
  return await transport.handleRequest(request, { parsedBody })
}

const listener = getRequestListener(async (request) => {
  const parsedBody = await request.json()
  if (await isLegacyRequest(request, parsedBody)) return await legacy(request, parsedBody)
  return await modern.fetch(request, { parsedBody })
})
const server = createServer(listener)
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
