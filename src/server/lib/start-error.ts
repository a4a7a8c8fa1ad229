/**
 * A problem that prevents the start or stops a command, and that the operator can fix. Printed as a
 * message, without a stack trace.
 */
export class StartError extends Error {
  override name = 'StartError'
}

const adviceByCode: Record<string, string> = {
  '25006': 'Connect to a server that accepts writes: the primary.',
  '42501': 'The user that Handrail connects as must own the database and its tables.',
  '53100': 'Free disk space.',
  '53300': 'Allow more connections in PostgreSQL, or lower DATABASE_POOL or WORKERS.',
}

/**
 * What to tell an operator if PostgreSQL itself reports an error that they can fix, such as missing
 * rights (42501), no schema to create tables in (3F000), a limit (53), or a timeout or shutdown (57).
 */
export function explainPostgresError(error: unknown): string | undefined {
  const { code = '', severity, message } = error as { code?: string; severity?: string; message: string }
  if (severity === undefined || !/^(25006|3F000|42501|53...|57...)$/.test(code)) return undefined
  return `PostgreSQL reports: ${message}. ${adviceByCode[code] ?? 'Check its settings and its log.'}`
}
