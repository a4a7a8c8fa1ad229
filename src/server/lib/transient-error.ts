/**
 * Database errors after which a retry may succeed: no connection (ENOENT: no socket), server
 * starting or shutting down, too many clients, disk full, cancelled statement (57014), deadlock,
 * now a replica (25006), prepared statement unknown (26000) or outdated by a migration.
 */
const transientCodes =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0[1235]|57014|40P01|25006|26000)$/
const transientMessages =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|recovery is in progress|cached plan must not change/

// A wrapped error has one or two causes. An error may even be its own cause.
const maxCauses = 3

/** Also checks the causes of a wrapped error. */
export function isTransient(error: unknown, causes = maxCauses): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (
    (typeof code === 'string' && transientCodes.test(code)) ||
    transientMessages.test(error.message) ||
    (causes > 0 && isTransient(error.cause, causes - 1))
  )
}
