/**
 * A problem that prevents the start and that the operator can fix. Printed as a message, without a
 * stack trace.
 */
export class StartError extends Error {
  override name = 'StartError'
}
