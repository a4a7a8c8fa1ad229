/** Prevents the start and can be fixed by the operator. Printed as a message, without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'
}
