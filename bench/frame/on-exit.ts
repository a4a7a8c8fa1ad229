/** Calls `stop` when the bench exits, also when it is interrupted. Returns a function that removes the handler. */
export function onExit(stop: () => void): () => void {
  process.on('exit', stop)
  return () => process.off('exit', stop)
}
