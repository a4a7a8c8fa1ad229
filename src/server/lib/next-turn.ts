/**
 * Lets everything else that is ready run first. Work on a large body is cut into parts of some milliseconds by it, so that
 * no request holds up the others.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
