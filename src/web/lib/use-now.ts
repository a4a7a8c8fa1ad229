import { useSyncExternalStore } from 'react'

// One timer for all relative times on the page. 10 s is accurate enough and cheap to render.
const tickMilliseconds = 10_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (timer === undefined) {
    // While nothing was subscribed, the time was not updated.
    now = Date.now()
    timer = setInterval(tick, tickMilliseconds)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}
