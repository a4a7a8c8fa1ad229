import { act, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { setPreference } from '../lib/preferences.ts'
import { KeyCap, useKeyHint } from './key-cap.tsx'

afterEach(() => {
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

test('a button without a text names its key only in its hint, and only while the key works', () => {
  function SearchButton() {
    return <button type="button" {...useKeyHint('Search', '/')} />
  }
  const { container } = render(<SearchButton />)
  const attributes = () => {
    const button = container.querySelector('button')!
    return Object.fromEntries([...button.attributes].map(({ name, value }) => [name, value]))
  }
  const fixed = { type: 'button', 'aria-label': 'Search' }
  expect(attributes()).toEqual({ ...fixed, title: 'Search (/)', 'aria-keyshortcuts': '/' })
  act(() => setPreference('singleKeys', 'off'))
  expect(attributes()).toEqual({ ...fixed, title: 'Search' })
})
