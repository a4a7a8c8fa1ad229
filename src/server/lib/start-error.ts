import { isTransient } from './transient-error.ts'

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
 * What to tell an operator about an error of the database that they can fix: a transient one, missing
 * rights (42501), or no schema to create tables in (3F000). Undefined for all other errors.
 */
export function explainDatabaseError(error: unknown): string | undefined {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  // Errors of files, such as ENOENT, have a system call.
  if (syscall !== undefined || !(isTransient(error) || /^(3F000|42501)$/.test(code))) return undefined
  return `Database error: ${message}. ${adviceByCode[code] ?? 'Check PostgreSQL and its log.'}`
}

const unknownCertificates = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+)$/

/** Why connecting failed, and what to do. `setting` is where the URL of the database comes from. */
export function explainConnectionError(error: unknown, setting: string, database = 'The database'): string {
  // If Node tried several addresses, the error has only a code.
  const { message, code = '' } = error as { message: string; code?: string }
  const cannot = `${database} cannot be reached:`
  if (message.includes('password must be a string'))
    return `${cannot} it requires a password. Add it to ${setting}, or set PGPASSWORD.`
  if (message === 'Invalid URL')
    return `${cannot} Invalid URL. Encode special characters in the password of ${setting}, such as / as %2F.`
  if (unknownCertificates.test(code))
    return `${cannot} ${message}. Add sslrootcert=FILE, the certificate of the server's CA, to ${setting}.`
  return `${cannot} ${message || code}. Check ${setting} and that PostgreSQL is running.`
}
