import type { DatabaseTarget } from '../server/backup/database-target.ts'

/** Instructions after a restore or a move. */
export function nextSteps({ url, dataDir }: DatabaseTarget, secretsIn: string | undefined): string[] {
  if (url === undefined) return [`Next: start Handrail with DATA_DIR=${dataDir} and without DATABASE_URL.`]
  return [
    'Next: start Handrail with DATABASE_URL set to this database.',
    ...(secretsIn
      ? [
          `The four secrets are in ${secretsIn}, readable only by you. Set them as variables for every process.`,
        ]
      : []),
  ]
}
