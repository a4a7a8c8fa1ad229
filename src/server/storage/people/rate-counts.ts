import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

/** At most `max` uses within `seconds`, counted from the first use. */
export type RateLimit = { subject: string; max: number; seconds: number }

export type RateLimitResult =
  | { allowed: true; used: number[] }
  | { allowed: false; retryAfterSeconds: number }

/**
 * Counts one use of each limit, or of none if one of them is exhausted. `used` contains the number
 * of uses of each limit, including this one. Nodes share the counts, which survive restarts, so
 * each use writes to the database: requests are limited in memory instead (lib/request-limit.ts).
 */
export async function consumeRateLimits(database: Database, limits: RateLimit[]): Promise<RateLimitResult> {
  return await database.owner
    .transaction()
    .execute(async (db) => {
      await sql`DELETE FROM rate_counts WHERE resets_at <= app_now()`.execute(db)
      const used: number[] = []
      for (const { subject, max, seconds } of limits) {
        const { rows } = await sql<{ used: number; retryAfterSeconds: number }>`
        INSERT INTO rate_counts AS existing (subject, used, resets_at)
        VALUES (${subject}, 1, app_now() + make_interval(secs => ${seconds}))
        ON CONFLICT (subject) DO UPDATE SET used = existing.used + 1
        RETURNING used, ceil(extract(epoch FROM resets_at - app_now()))::integer AS retry_after_seconds`.execute(
          db,
        )
        const { used: times, retryAfterSeconds } = rows[0]!
        if (times > max) throw new LimitReached(retryAfterSeconds)
        used.push(times)
      }
      return { allowed: true as const, used }
    })
    .catch((error: unknown) => {
      if (error instanceof LimitReached)
        return { allowed: false as const, retryAfterSeconds: error.retryAfterSeconds }
      throw error
    })
}

/**
 * Undoes consumeRateLimits. Call if the use must not count, for example because the code was right.
 */
export async function refundRateLimits(database: Database, limits: RateLimit[]): Promise<void> {
  await sql`
    UPDATE rate_counts SET used = used - 1
    WHERE subject = ANY (${limits.map(({ subject }) => subject)}::text[]) AND used > 0`.execute(
    database.owner,
  )
}

/** Thrown in the transaction, to roll back what was counted before. */
class LimitReached extends Error {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('rate limit exceeded')
    this.retryAfterSeconds = retryAfterSeconds
  }
}
