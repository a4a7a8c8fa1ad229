/**
 * Errors of the database that mean "come back in a moment": no connection to be had, shutting down or not up yet, too
 * many clients, its disk full, a deadlock, a server that has just become a replica.
 */
const passingCodes =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0[1235]|57014|40P01|25006)$/
const passingWords =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|recovery is in progress/

/** Where a library has wrapped the error, its cause counts. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (
    (typeof code === 'string' && passingCodes.test(code)) ||
    passingWords.test(error.message) ||
    isTransient(error.cause)
  )
}
