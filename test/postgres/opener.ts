import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { PrivatePostgres } from '../../src/server/postgres/private-postgres.ts'

export interface OpenerOptions {
  dataDir: string
  as?: 'service' | 'tool'
  checkout?: string
  /** Only root may choose. */
  user?: { uid: number; gid: number }
  env?: Record<string, string>
}

interface Event {
  say?: string
  note?: string
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

  static async begin({ dataDir, as = 'service', checkout, user, env }: OpenerOptions): Promise<Opener> {
    const folder = checkout ?? inject('checkout')
    const child = spawn(process.execPath, [join(folder, 'opener.mjs'), JSON.stringify({ dataDir, as })], {
      cwd: '/',
      detached: true, // a process group of its own, as a terminal would give it
      ...(user ?? {}),
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...env },
    })
    const opener = new Opener(child)
    createInterface({ input: child.stdout }).on('line', (line) =>
      opener.events.push(JSON.parse(line) as Event),
    )
    child.stderr.on('data', (text) => process.stderr.write(text))
    living.add(opener)
    child.once('close', () => living.delete(opener))
    await opener.until((event) => event.open !== undefined || event.error !== undefined)
    return opener
  }

  get open(): NonNullable<Event['open']> {
    const { error } = this
    if (error) throw new Error(`did not open: ${error}`)
    return this.events.find((event) => event.open)!.open!
  }

  get error(): string | undefined {
    const error = this.events.find((event) => event.error)?.error
    return error && `${error.name}: ${error.message}`
  }

  get said(): string {
    return this.events.flatMap((event) => event.say ?? []).join('\n')
  }

  async until(isIt: (event: Event) => boolean): Promise<Event> {
    for (;;) {
      const found = this.events.find(isIt)
      if (found) return found
      if (this.child.exitCode !== null && this.child.stdout.readableEnded)
        throw new Error('the opener ended without a word')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.open.connectionString })
    client.on('error', () => {}) // tests kill servers below it
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async close(): Promise<void> {
    await this.tell('close')
  }

  async tell(command: 'close' | 'exit'): Promise<void> {
    const over = once(this.child, 'close')
    this.child.stdin.on('error', () => {}) // it was ending by itself
    this.child.stdin.write(`${command}\n`)
    await over
  }

  async kill(): Promise<void> {
    const over = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await over
  }

  interruptGroup(): void {
    process.kill(-this.child.pid!, 'SIGINT')
  }
}

const living = new Set<Opener>()

/** For afterEach: whatever a failed test left open. */
export async function closeAll(): Promise<void> {
  await Promise.all([...living].map((opener) => opener.close()))
}
