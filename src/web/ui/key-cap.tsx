import { usePreference } from '../lib/preferences.ts'

/** A shortcut hint, hidden from screen readers. None for a character or a sequence of them while those are turned off. */
export function KeyCap({ children }: { children: string | number }) {
  const isOff = usePreference('singleKeys') === 'off'
  if (isOff && /^[!-~]( [!-~])*$/.test(String(children))) return null
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: kbd takes no focus
  return <kbd aria-hidden="true">{children}</kbd>
}

/** The name of a button without a text, and its key as a hint, unless single keys are turned off. */
export function useKeyHint(name: string, key: string) {
  const isOff = usePreference('singleKeys') === 'off'
  if (isOff) return { 'aria-label': name, title: name }
  return { 'aria-label': name, 'aria-keyshortcuts': key, title: `${name} (${key})` }
}
