import type { DatabaseTarget } from '../server/backup/database-target.ts'

/** What an operator does after data has arrived somewhere. */
export function nextSteps({ url, dataDir }: DatabaseTarget, secretsIn: string | undefined): string[] {
  if (url === undefined) return [`Next: start Handrail with DATA_DIR=${dataDir} and without DATABASE_URL.`]
  return [
    'Next: start Handrail with DATABASE_URL set to this database.',
    ...(secretsIn
      ? [
          `Its four secrets are in ${secretsIn}, readable by you alone. Give them to every process as variables.`,
        ]
      : []),
  ]
}
