/** Calls `stop` when this process exits. Returns a function that removes the handler. */
export function onExit(stop: () => void): () => void {
  process.on('exit', stop)
  return () => process.off('exit', stop)
}
