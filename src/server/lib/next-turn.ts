/**
 * Yields to the event loop. Splits work on a large body into parts of a few milliseconds, so that no
 * request blocks the others.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
