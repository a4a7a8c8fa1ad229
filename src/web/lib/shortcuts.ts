import { type RefObject, useEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { capOf, isMac } from './key-caps.ts'
import { preference } from './preferences.ts'
import { currentPress, ignoreUntilReleased, isTyping } from './presses.ts'
import type { ShortcutName } from './shortcut-table.ts'

type Handler = (event: KeyboardEvent) => void
export type Shortcuts = Partial<Record<ShortcutName, Handler>>

/** Key caps as printed on the person's keyboard. */
export const keyCap = {
  submit: capOf('$mod+Enter'),
  stay: capOf('$mod+Shift+Enter'),
  assign: capOf('a'),
  note: capOf('n'),
  snooze: capOf('h'),
  action: (n: number) => capOf(`Alt+Digit${n}` as ShortcutName),
}

/** These shortcuts repeat while the key is held. None of them answers a task. */
const repeatingShortcuts: ReadonlySet<string> = new Set<ShortcutName>([
  'j',
  'ArrowDown',
  'k',
  'ArrowUp',
  'Space',
  'Shift+Space',
  'Shift+j',
  'Shift+k',
])

const registered = new Set<RefObject<Shortcuts>>()

/** The shortcuts that the page has registered now, without those of dialogs. */
export function activeShortcuts(): ReadonlyMap<string, Handler> {
  return new Map([...registered].flatMap(({ current }) => Object.entries(current)))
}

/**
 * Registers shortcuts while the component is mounted. In text fields, Escape and keys with a modifier
 * work; on a Mac, keys with Alt do not. Shortcuts of single characters can be disabled (WCAG 2.1.4).
 * An open dialog or menu disables the page's shortcuts; a dialog declares its own by passing an
 * element `inside` it. Holding a key repeats only `repeatingShortcuts`.
 */
export function useShortcuts(shortcuts: Shortcuts, inside?: RefObject<Element | null>): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = Object.keys(shortcuts).join('\n')

  useEffect(() => {
    if (names === '') return undefined
    const bindings = Object.fromEntries(
      names.split('\n').flatMap((name) => {
        const run = (event: KeyboardEvent) => {
          if (event.defaultPrevented || event.isComposing || !isInScope(inside)) return
          if (event.repeat && !repeatingShortcuts.has(name)) return
          // On a Mac, Option types characters such as # and @, depending on the keyboard.
          if (isMac && name.startsWith('Alt+') && isTyping(event.target)) return
          // Shift does not count as a modifier, because some characters need it.
          const key = name.replace(/^Shift\+/, '')
          const isUnmodified = !key.includes('+') && key !== 'Escape'
          if (isUnmodified && (isTyping(event.target) || isHandledByTarget(key, event.target))) return
          if (isUnmodified && isSingleKey(key) && preference('singleKeys') === 'off') return
          if (isUnmodified && key.length === 1 && completesSequence(event)) return
          // The shortcut may focus a field, which would receive the letter.
          if (isUnmodified && isSingleKey(key)) event.preventDefault()
          latest.current[name as ShortcutName]?.(event)
          if (event.defaultPrevented && !repeatingShortcuts.has(name)) ignoreUntilReleased(event)
        }
        return pressesOf(name).map((press) => [press, run])
      }),
    )
    const stop = tinykeys(window, bindings)
    if (!inside) registered.add(latest)
    return () => {
      stop()
      registered.delete(latest)
    }
  }, [names, inside])
}

/** A French keyboard, for example, types & with the key of 1, and 1 with Shift. Both mean the digit. */
function pressesOf(name: string): string[] {
  return /^\d$/.test(name) ? [name, `Shift+${name}`, `Digit${name}`] : [name]
}

/** After G, a letter such as I completes the sequence "G I" and must not trigger the shortcut I. */
function completesSequence({ key }: KeyboardEvent): boolean {
  const { previousKey, isInSequence } = currentPress()
  return isInSequence && activeShortcuts().has(`${previousKey} ${key}`.toLowerCase())
}

/** One character, or a sequence of characters: easily triggered by speech input or by accident. */
function isSingleKey(key: string): boolean {
  return key.split(' ').every((press) => press.length === 1)
}

/** A press belongs to the topmost overlay, or to the page if there is none. */
function isInScope(inside: RefObject<Element | null> | undefined): boolean {
  const { overlay } = currentPress()
  if (!inside) return overlay === undefined
  return inside.current !== null && overlay?.contains(inside.current) === true
}

/** Whether the focused element handles this key itself. */
function isHandledByTarget(name: string, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (name === 'Enter') return target.matches('a, button, summary, input')
  if (name === 'Space') return target.matches('a, button, summary, input, pre, [id=task-content]')
  if (name.startsWith('Arrow')) return target.matches('input, pre, [role=group]')
  return false
}
