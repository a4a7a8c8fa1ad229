import { useEffect, useState, useSyncExternalStore } from 'react'

let mounted: symbol[] = []
const listeners = new Set<() => void>()

/**
 * A task may have several comparisons, but only one set of keys. It belongs to the comparison that
 * was mounted first.
 */
export function useIsFirstComparison(): boolean {
  const [id] = useState(Symbol)
  useEffect(() => {
    update([...mounted, id])
    return () => update(mounted.filter((other) => other !== id))
  }, [id])
  return useSyncExternalStore(subscribe, () => mounted[0] === id)
}

function update(next: symbol[]) {
  mounted = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
