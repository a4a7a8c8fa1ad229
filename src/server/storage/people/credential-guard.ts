import { AsyncLocalStorage } from 'node:async_hooks'
import { type Kysely, type PostgresPool, sql } from 'kysely'
import type pg from 'pg'
import { type Database, kyselyForPool } from '../engine/database.ts'
import type { Schema } from '../engine/schema.ts'

// better-auth reads an account, hashes a password (100 ms), then writes sessions, passwords and
// second factors in separate statements. Meanwhile someone may prove that the address is theirs,
// which revokes all of that, or turn two-factor on, which ends sessions without it. So each write
// first locks the account and requires that its password hash, and whether it has two-factor, are
// unchanged.

/**
 * The account that a call of better-auth is about. Undefined: there is none, so the call may not
 * write.
 */
export type GuardedAccount = { id: string } | { email: string } | undefined

type GuardedCall = { userId: string | undefined; credentials: string | undefined; isRefused: boolean }

const calls = new AsyncLocalStorage<GuardedCall>()

/**
 * What must not change between a call's read and its writes. The account of someone who uses single
 * sign-on may have no password: then none may have been added.
 */
const selectCredentials = `
  SELECT u.id AS user_id, concat_ws(' ', u.two_factor_enabled, a.password) AS credentials
  FROM users u LEFT JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential'`

/**
 * Runs a call of better-auth. Returns undefined if one of its writes was refused, because there is
 * no account, or because another call has replaced the password or turned two-factor on or off. The
 * call then wrote nothing more.
 */
export async function guardCredentials<T>(
  { owner }: Database,
  account: GuardedAccount,
  call: () => Promise<T>,
): Promise<T | undefined> {
  const guarded: GuardedCall = { userId: undefined, credentials: undefined, isRefused: false }
  if (account) {
    const condition = 'id' in account ? sql`u.id = ${account.id}` : sql`u.email = ${account.email}`
    const { rows } = await sql<{ userId: string; credentials: string }>`
      ${sql.raw(selectCredentials)} WHERE ${condition}`.execute(owner)
    guarded.userId = rows[0]?.userId
    guarded.credentials = rows[0]?.credentials
  }
  try {
    const result = await calls.run(guarded, call)
    return guarded.isRefused ? undefined : result
  } catch (error) {
    if (guarded.isRefused) return undefined
    throw error
  }
}

/**
 * The connection of better-auth, which sends single statements without transactions. `refuse`
 * throws an error that better-auth passes on. Writes are checked only within `guardCredentials`.
 */
export function guardedKysely({ pool }: Database, refuse: () => never): Kysely<Schema> {
  return kyselyForPool({
    async connect() {
      const client = await pool.connect()
      return {
        query: (text: string, values: unknown[]) => guardedQuery(client, refuse, text, values),
        release: () => client.release(),
      }
    },
    end: async () => undefined,
  } as unknown as PostgresPool)
}

async function guardedQuery(
  client: pg.PoolClient,
  refuse: () => never,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  const call = calls.getStore()
  if (!call || /^select\b/i.test(text)) return await client.query(text, values)
  try {
    await client.query('BEGIN')
    // A separate statement, so that the next one sees what was committed while this one waited for
    // the lock.
    await client.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [call.userId])
    if (call.userId === undefined || (await readCredentials(client, call)) !== call.credentials) {
      call.isRefused = true
      refuse()
    }
    const result = await client.query(text, values)
    // The statement may have changed the credentials itself.
    call.credentials = await readCredentials(client, call)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function readCredentials(client: pg.PoolClient, { userId }: GuardedCall): Promise<string | undefined> {
  const { rows } = await client.query<{ credentials: string }>(`${selectCredentials} WHERE u.id = $1`, [
    userId,
  ])
  return rows[0]?.credentials
}
