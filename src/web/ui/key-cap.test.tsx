import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { setPreference } from '../lib/preferences.ts'
import { KeyCap } from './key-cap.tsx'

afterEach(() => {
  cleanup()
  setPreference('singleKeys', 'on')
})

test('while single keys are turned off, only hints for keys that work are shown', () => {
  const caps = ['J', '?', '/', '.', 'G I', 'Esc', '↵', 'Ctrl K', '⌘K', 'Alt 1', '⌥1']
  const shown = () => {
    const { container } = render(caps.map((cap) => <KeyCap key={cap}>{cap}</KeyCap>))
    return [...container.querySelectorAll('kbd')].map(({ textContent }) => textContent)
  }
  expect(shown()).toEqual(caps)
  setPreference('singleKeys', 'off')
  expect(shown()).toEqual(['Esc', '↵', 'Ctrl K', '⌘K', 'Alt 1', '⌥1'])
})
