import { type Kysely, sql } from 'kysely'

// Names as they occur in the JSON text of stored results. Inside texts by people, quotes are
// escaped, so nothing there matches.
const renamed = [
  ['"pairs":', '"taskPairs":'],
  ['"mark":', '"trait":'],
  ['"notSeparated":', '"inconclusive":'],
  ['"result":"less than predicted"', '"result":"less-than-predicted"'],
  ['"result":"no effect seen"', '"result":"no-effect-seen"'],
  ['"result":"too few answers"', '"result":"too-few-answers"'],
  ['"result":"not tried"', '"result":"not-tried"'],
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [before, after] of renamed)
    await sql`
      UPDATE analyses SET result = replace(result::text, ${before}, ${after})::json
      WHERE strpos(result::text, ${before}) > 0`.execute(db)
}
