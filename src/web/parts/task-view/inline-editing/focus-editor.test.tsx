import { afterEach, expect, test, vi } from 'vitest'
import { focusEditor } from './focus-editor.ts'

const shortcut = vi.fn()

afterEach(() => {
  // Ends the wait for the editor.
  document.body.click()
  window.removeEventListener('keydown', shortcut)
  vi.clearAllMocks()
})

test.each([
  ['a letter', { key: 'e' }, false],
  ['a character typed with AltGr', { key: '€', ctrlKey: true, altKey: true, modifierAltGraph: true }, false],
  ['Ctrl+Enter', { key: 'Enter', ctrlKey: true }, false],
  ['a combination with Ctrl', { key: 'f', ctrlKey: true }, true],
  ['a function key', { key: 'F5' }, true],
])(
  'while an editor loads, %s is a shortcut only if it types nothing and sends nothing',
  (_, init, isShortcut) => {
    focusEditor('letter')
    window.addEventListener('keydown', shortcut)
    const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })
    document.body.dispatchEvent(event)
    expect(shortcut).toHaveBeenCalledTimes(isShortcut ? 1 : 0)
    expect(event.defaultPrevented).toBe(!isShortcut)
  },
)
