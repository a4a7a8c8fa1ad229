import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { setPreference } from './preferences.ts'
import { activeShortcuts, type Shortcuts, useShortcuts } from './shortcuts.ts'

const platform = vi.hoisted(() => ({ isMac: false }))
vi.mock('./key-caps.ts', () => ({
  capOf: (name: string) => name,
  get isMac() {
    return platform.isMac
  },
}))

afterEach(() => {
  platform.isMac = false
  setPreference('singleKeys', 'on')
})

function Keys({ shortcuts }: { shortcuts: Shortcuts }) {
  useShortcuts(shortcuts)
  return <input aria-label="Field" />
}

test('a letter after G opens a page and does not trigger its own shortcut', async () => {
  const [markDone, toExamples] = [vi.fn(), vi.fn()]
  render(<Keys shortcuts={{ e: markDone, 'g e': toExamples }} />)
  await userEvent.keyboard('ge')
  expect([toExamples.mock.calls.length, markDone.mock.calls.length]).toEqual([1, 0])
  await userEvent.keyboard('e')
  expect(markDone).toHaveBeenCalledOnce()
  // With Caps Lock.
  await userEvent.keyboard('GE')
  expect([toExamples.mock.calls.length, markDone.mock.calls.length]).toEqual([2, 1])
})

test('a digit works with and without Shift where the keyboard types it with Shift', () => {
  const pick = vi.fn()
  render(<Keys shortcuts={{ 1: pick }} />)
  const press = (key: string, shiftKey: boolean, target: Element = document.body) => {
    fireEvent.keyDown(target, { key, code: 'Digit1', shiftKey })
    fireEvent.keyUp(target, { key, code: 'Digit1', shiftKey })
    return pick.mock.calls.length
  }
  expect([press('&', false), press('1', true), press('1', false)]).toEqual([1, 2, 3])
  // On an American keyboard, Shift types another character.
  expect(press('!', true)).toBe(3)
  expect(press('&', false, screen.getByLabelText('Field'))).toBe(3)
})

test('a letter typed into a field does not trigger a shortcut', async () => {
  const [markDone, send] = [vi.fn(), vi.fn()]
  render(<Keys shortcuts={{ e: markDone, '$mod+Enter': send }} />)
  await userEvent.type(screen.getByLabelText('Field'), 'e{Control>}{Enter}{/Control}')
  expect([markDone.mock.calls.length, send.mock.calls.length]).toEqual([0, 1])
})

test('on a Mac, a character typed with Option does not trigger a shortcut in a text field', () => {
  platform.isMac = true
  const choose = vi.fn((event: KeyboardEvent) => event.preventDefault())
  render(<Keys shortcuts={{ 'Alt+Digit3': choose }} />)
  // As a Mac with a British keyboard sends it. Returns false if the character is not typed.
  const pressOption3 = (target: Element) =>
    fireEvent.keyDown(target, { key: '#', code: 'Digit3', altKey: true })
  expect(pressOption3(screen.getByLabelText('Field'))).toBe(true)
  expect(choose).not.toHaveBeenCalled()

  pressOption3(document.body)
  expect(choose).toHaveBeenCalledOnce()
})

test('elsewhere, Alt with a digit types nothing, so it triggers a shortcut in a text field', () => {
  const choose = vi.fn()
  render(<Keys shortcuts={{ 'Alt+Digit3': choose }} />)
  fireEvent.keyDown(screen.getByLabelText('Field'), { key: '3', code: 'Digit3', altKey: true })
  expect(choose).toHaveBeenCalledOnce()
})

test('a shortcut is active only while its component is mounted', () => {
  const { unmount } = render(<Keys shortcuts={{ e: () => undefined }} />)
  expect(activeShortcuts().has('e')).toBe(true)
  unmount()
  expect(activeShortcuts().has('e')).toBe(false)
})

test('single keys and sequences of them can be switched off; the others still work', async () => {
  setPreference('singleKeys', 'off')
  const pressed: string[] = []
  const names = ['e', '?', 'g i', 'Enter', 'ArrowDown', 'Escape', 'Alt+Digit1', '$mod+Enter'] as const
  const shortcuts = Object.fromEntries(names.map((name) => [name, () => pressed.push(name)]))
  render(<Keys shortcuts={shortcuts} />)
  const keys = 'e?gi{Enter}{ArrowDown}{Escape}{Alt>}[Digit1]{/Alt}{Control>}{Enter}{/Control}'
  await userEvent.keyboard(keys)
  expect(pressed).toEqual(['Enter', 'ArrowDown', 'Escape', 'Alt+Digit1', '$mod+Enter'])
  setPreference('singleKeys', 'on')
  await userEvent.keyboard('e?gi')
  expect(pressed.slice(5)).toEqual(['e', '?', 'g i'])
})
