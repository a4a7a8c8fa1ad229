/** The private PostgreSQL cannot be used. The message is a sentence for the operator that says what to do. */
export class PrivatePostgresError extends Error {
  override name = 'PrivatePostgresError'
}
