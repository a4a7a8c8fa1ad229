import { usePreference } from '../lib/preferences.ts'

/**
 * Shows a shortcut, hidden from screen readers. Renders nothing for a single character or a
 * sequence of them while single-key shortcuts are turned off.
 */
export function KeyCap({ children }: { children: string | number }) {
  const isOff = usePreference('singleKeys') === 'off'
  if (isOff && /^[!-~]( [!-~])*$/.test(String(children))) return null
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: kbd takes no focus
  return <kbd aria-hidden="true">{children}</kbd>
}

/**
 * Attributes for a button without text: its name and, unless single-key shortcuts are turned off,
 * its key.
 */
export function useKeyHint(name: string, key: string) {
  const isOff = usePreference('singleKeys') === 'off'
  if (isOff) return { 'aria-label': name, title: name }
  return { 'aria-label': name, 'aria-keyshortcuts': key, title: `${name} (${key})` }
}
