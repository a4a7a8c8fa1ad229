/** For what runs in a process of its own: `end` is called also when the bench is stopped half-way. Gives back the way to forget it. */
export function endsWithUs(end: () => void): () => void {
  process.on('exit', end)
  return () => process.off('exit', end)
}
