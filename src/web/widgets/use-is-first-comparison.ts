import { useEffect, useState, useSyncExternalStore } from 'react'

let mounted: symbol[] = []
const listeners = new Set<() => void>()

/**
 * Whether this is the comparison that was mounted first: if a task has several, the shortcuts
 * apply to it.
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
