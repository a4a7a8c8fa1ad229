import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { PrivatePostgres } from '../../src/server/postgres/private-postgres.ts'

export interface OpenerOptions {
  dataDir: string
  as?: 'service' | 'command'
  checkout?: string
  /** Requires root. */
  user?: { uid: number; gid: number }
  env?: Record<string, string>
}

interface Event {
  printed?: string
  log?: string
  open?: Omit<PrivatePostgres, 'lost' | 'close'>
  error?: { name: string; message: string }
  lost?: string
  closed?: true
  interrupted?: true
}

/** A process that has opened, or failed to open, a private PostgreSQL. */
export class Opener {
  private child: ChildProcessWithoutNullStreams
  readonly events: Event[] = []

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
  }

  static async start({ dataDir, as = 'service', checkout, user, env }: OpenerOptions): Promise<Opener> {
    const folder = checkout ?? inject('checkout')
    const child = spawn(process.execPath, [join(folder, 'opener.mjs'), JSON.stringify({ dataDir, as })], {
      cwd: '/',
      detached: true, // its own process group, as in a terminal
      ...(user ?? {}),
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env },
    })
    const opener = new Opener(child)
    createInterface({ input: child.stdout }).on('line', (line) =>
      opener.events.push(JSON.parse(line) as Event),
    )
    child.stderr.on('data', (text) => process.stderr.write(text))
    running.add(opener)
    child.once('close', () => running.delete(opener))
    await opener.until((event) => event.open !== undefined || event.error !== undefined)
    return opener
  }

  get open(): NonNullable<Event['open']> {
    const { error } = this
    if (error) throw new Error(`failed to open: ${error}`)
    return this.events.find((event) => event.open)!.open!
  }

  get error(): string | undefined {
    const error = this.events.find((event) => event.error)?.error
    return error && `${error.name}: ${error.message}`
  }

  get printed(): string {
    return this.events.flatMap((event) => event.printed ?? []).join('\n')
  }

  async until(matches: (event: Event) => boolean): Promise<Event> {
    for (;;) {
      const found = this.events.find(matches)
      if (found) return found
      if (this.child.exitCode !== null && this.child.stdout.readableEnded)
        throw new Error('the opener exited without the expected event')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.open.connectionString })
    client.on('error', () => {}) // tests kill the server
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async close(): Promise<void> {
    await this.send('close')
  }

  async send(command: 'close' | 'exit'): Promise<void> {
    const closed = once(this.child, 'close')
    this.child.stdin.on('error', () => {}) // it may already be exiting
    this.child.stdin.write(`${command}\n`)
    await closed
  }

  async kill(): Promise<void> {
    const closed = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await closed
  }

  interruptGroup(): void {
    process.kill(-this.child.pid!, 'SIGINT')
  }
}

const running = new Set<Opener>()

/** For afterEach: closes what a failed test left open. */
export async function closeAll(): Promise<void> {
  await Promise.all([...running].map((opener) => opener.close()))
}
