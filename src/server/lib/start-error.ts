/** What keeps the service from starting and an operator can put right: told as a sentence, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
