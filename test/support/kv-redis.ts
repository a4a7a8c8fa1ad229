import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A Redis simple string such as OK. Bulk strings are plain strings here. */
export class SimpleString {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export type Reply = string | number | null | SimpleString | Error | Reply[]

/** A real redis-server on a unix socket in a temporary folder, without a port or persistence. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-redis-'))
  const socketPath = join(folder, 'socket')
  const child = spawn(
    process.env.REDIS_SERVER_PATH ?? 'redis-server',
    ['--port', '0', '--unixsocket', socketPath, '--save', '', '--dir', folder],
    { stdio: 'ignore' },
  )
  const closed = once(child, 'close')
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  // The socket file exists shortly before the server accepts connections.
  while (!(await isListening(socketPath))) {
    if (child.exitCode !== null) throw new Error('redis-server did not start')
    await sleep(20)
  }
  return {
    socketPath,
    async stop(): Promise<void> {
      child.kill('SIGKILL')
      await closed
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isListening(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath)
  return new Promise((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  }).finally(() => socket.destroy()) as Promise<boolean>
}

/** Opens a connection. `onReply` receives replies to commands and messages of subscriptions in order. */
export function openConnection(socketPath: string, onReply: (reply: Reply) => void) {
  const socket = connect(socketPath)
  let buffered = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk])
    for (let read = readReply(buffered, 0); read; read = readReply(buffered, 0)) {
      buffered = buffered.subarray(read.end)
      onReply(read.reply)
    }
  })
  return {
    socket,
    send(commands: string[][]): void {
      const words = (command: string[]) => command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
      socket.write(commands.map((command) => `*${command.length}\r\n${words(command).join('')}`).join(''))
    },
  }
}

/** Parses RESP version 2. Returns undefined while the reply is incomplete. */
function readReply(bytes: Buffer, at: number): { reply: Reply; end: number } | undefined {
  const lineEnd = bytes.indexOf('\r\n', at)
  if (lineEnd === -1) return undefined
  const line = bytes.toString('utf8', at + 1, lineEnd)
  let end = lineEnd + 2
  const kind = String.fromCharCode(bytes[at]!)
  if (kind === '+') return { reply: new SimpleString(line), end }
  if (kind === '-') return { reply: new Error(line), end }
  if (kind === ':') return { reply: Number(line), end }
  const length = Number(line)
  if (length === -1) return { reply: null, end }
  if (kind === '$') {
    if (bytes.length < end + length + 2) return undefined
    return { reply: bytes.toString('utf8', end, end + length), end: end + length + 2 }
  }
  const list: Reply[] = []
  while (list.length < length) {
    const item = readReply(bytes, end)
    if (!item) return undefined
    list.push(item.reply)
    end = item.end
  }
  return { reply: list, end }
}
