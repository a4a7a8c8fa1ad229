import { useEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { preference } from './preferences.ts'

type Run = (event: KeyboardEvent) => void
export type Shortcuts = Record<string, Run>

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform)
/** Key caps as the person's keyboard prints them. */
export const keyCap = {
  submit: isMac ? '⌘↵' : 'Ctrl ↵',
  action: (n: number | string) => (isMac ? `⌥${n}` : `Alt ${n}`),
}

/**
 * Keys for as long as a component is shown. A key without a modifier stays silent where a person types, and can be
 * switched off altogether (WCAG 2.1.4). While a dialog or a menu is open, all are silent.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = Object.keys(shortcuts).join(' ')

  useEffect(() => {
    const bindings = Object.fromEntries(
      names.split(' ').map((name) => [
        name,
        (event: KeyboardEvent) => {
          if (event.defaultPrevented || event.isComposing || isOverlayOpen()) return
          // Shift only makes another character.
          const key = name.replace(/^Shift\+/, '')
          const bare = !key.includes('+') && key !== 'Escape'
          if (bare && (isTyping(event.target) || isTaken(key, event.target))) return
          if (bare && key.length === 1 && preference('singleKeys') === 'off') return
          latest.current[name]?.(event)
        },
      ]),
    )
    return tinykeys(window, bindings)
  }, [names])
}

function isOverlayOpen(): boolean {
  return document.querySelector('[role=dialog], [role=menu]') !== null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button])'))
  )
}

/** Keys that the focused element already has a use for. */
function isTaken(name: string, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (name === 'Enter') return target.matches('a, button, summary, input')
  if (name.startsWith('Arrow')) return target.matches('input, pre, [role=group]')
  return false
}
