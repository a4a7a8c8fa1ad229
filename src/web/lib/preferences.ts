import { useSyncExternalStore } from 'react'

/** Per-browser preferences. If storage is full or blocked, they last until the page is closed. */
const defaults = {
  theme: 'system',
  density: 'comfortable',
  undoSeconds: '5',
  singleKeys: 'on',
  workspace: '',
  browserNotifications: 'off',
  wrapCode: 'off',
  /** How high the dock may become, in pixels. Empty: automatic. */
  dockHeight: '',
  /** `beside` or `below` the context. Empty: automatic. */
  dockPlace: '',
  showChanges: 'on',
}
type Preferences = typeof defaults

const inMemory = new Map<string, string>()
const listeners = new Set<() => void>()

export function preference(name: keyof Preferences): string {
  const value = inMemory.get(name)
  if (value !== undefined) return value
  try {
    return localStorage.getItem(`handrail.${name}`) ?? defaults[name]
  } catch {
    return defaults[name]
  }
}

export function setPreference(name: keyof Preferences, value: string): void {
  try {
    localStorage.setItem(`handrail.${name}`, value)
    inMemory.delete(name)
  } catch {
    inMemory.set(name, value)
  }
  for (const listener of listeners) listener()
}

export function usePreference(name: keyof Preferences): string {
  return useSyncExternalStore(subscribe, () => preference(name))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Fired when another tab changes a preference.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
