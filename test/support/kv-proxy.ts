import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openConnection, type Reply, SimpleString, startRedis } from './kv-redis.ts'

const token = 'test-kv-token'

export type TestKv = Awaited<ReturnType<typeof startKv>>

/** A key-value store with Upstash's REST protocol on loopback, backed by a real redis-server. */
export async function startKv() {
  const redis = await startRedis()
  const waiting: ((reply: Reply) => void)[] = []
  const { socket, send } = openConnection(redis.socketPath, (reply) => waiting.shift()?.(reply))
  const run = (commands: string[][]): Promise<Reply[]> => {
    const replies = commands.map(() => new Promise<Reply>((resolve) => waiting.push(resolve)))
    send(commands)
    return Promise.all(replies)
  }

  let intercepted: { command: string; run: () => Promise<void> } | undefined

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${token}`)
      return json(response, 401, { error: 'Unauthorized' })
    const path = decodeURIComponent(request.url!)
    if (path.startsWith('/subscribe/')) return subscribe(path.slice('/subscribe/'.length), response)
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const base64 = request.headers['upstash-encoding'] === 'base64'
    const body = JSON.parse(text)
    const commands: unknown[][] = Array.isArray(body[0]) ? body : [body]
    if (commands.some(([name]) => String(name).toLowerCase() === intercepted?.command))
      await intercepted?.run()
    if (path === '/pipeline') return json(response, 200, (await run(body.map(words))).map(outcome(base64)))
    if (path === '/multi-exec') {
      const replies = await run([['MULTI'], ...body.map(words), ['EXEC']])
      return json(response, 200, (replies.at(-1) as Reply[]).map(outcome(base64)))
    }
    const [result] = (await run([words(body)])).map(outcome(base64))
    json(response, 'error' in result! ? 400 : 200, result)
  }

  function subscribe(channel: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const subscription = openConnection(redis.socketPath, (reply) =>
      response.write(`data: ${(reply as Reply[]).join(',')}\n\n`),
    )
    subscription.send([['SUBSCRIBE', channel]])
    response.on('close', () => subscription.socket.destroy())
  }

  let isDown = false
  const server = createServer((request, response) => {
    if (isDown) return json(response, 503, { error: 'Service Unavailable' })
    respond(request, response).catch((error) => json(response, 500, { error: String(error) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** The variables a service needs to use it. */
    environment: { KV_REST_API_URL: url, KV_REST_API_TOKEN: token },
    run,
    /** Runs `work` once: before the next such command, or when the returned function is called. */
    beforeNext(command: string, work: () => Promise<unknown>): () => Promise<void> {
      const run = async () => {
        if (!intercepted) return
        intercepted = undefined
        await work()
      }
      intercepted = { command, run }
      return run
    },
    /** Responds with 503 to every request until `restore` is called. */
    cut() {
      isDown = true
    },
    restore() {
      isDown = false
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      socket.destroy()
      await redis.stop()
    },
  }
}

function words(command: unknown[]): string[] {
  return command.map(String)
}

function outcome(base64: boolean) {
  const present = (reply: Reply): unknown => {
    if (reply instanceof SimpleString) return reply.text
    if (Array.isArray(reply)) return reply.map(present)
    return typeof reply === 'string' && base64 ? Buffer.from(reply).toString('base64') : reply
  }
  return (reply: Reply) => (reply instanceof Error ? { error: reply.message } : { result: present(reply) })
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
