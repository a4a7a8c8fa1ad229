/**
 * A problem that prevents the start or stops a command, and that the operator can fix. Printed as a
 * message, without a stack trace.
 */
export class StartError extends Error {
  override name = 'StartError'
}
